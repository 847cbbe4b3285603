/** The supported currencies of prices. */
export const currencies: readonly string[] = ['usd', 'eur', 'gbp', 'aud', 'cad', 'inr', 'jpy', 'btc', 'eth']
