/** The currencies that values may be asked in. */
export const currencies: readonly string[] = ['usd', 'eur', 'gbp', 'aud', 'cad', 'inr', 'jpy', 'btc', 'eth']
