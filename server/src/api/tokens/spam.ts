/** What a contract calls itself. */
type Called = { name: string | null; symbol: string | null }

/** A place to go: no honest token or collection needs one in its name. */
const place =
  /https?:|www\.|\b[\w-]+\s?\.\s?(?:com|org|net|io|xyz|app|site|top|gift|finance|pro|info|me|cc|live|link|vip|fi|fun|club|online)\b/iu
const lure = /\b(?:claim|airdrop|reward|voucher|visit|free\s?mint|giveaway|redeem|bonus|congratulations|eligible)\b/iu

/**
 * The rules by which something that arrived unasked is kept out of sight; `docs/data.md` says them to people. They look
 * at nothing but what the contract calls itself, so they can be read, and foretold.
 *
 * @param listed the tokens that the operator vouches for
 */
export function isSuspicious({ name, symbol }: Called, listed: readonly { name: string; symbol: string }[]): boolean {
  const texts = [name ?? '', symbol ?? '']
  if (texts.some((text) => place.test(text) || lure.test(text))) return true
  return texts.some((text) => text !== '' && imitates(text, listed))
}

/** It looks like a listed token, and is another. */
function imitates(text: string, listed: readonly { name: string; symbol: string }[]): boolean {
  const looks = skeleton(text)
  return listed.some((token) => [token.name, token.symbol].some((known) => skeleton(known) === looks))
}

/** Signs that look like a Latin letter: each letter, and those that are taken for it. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  ['aаα', 'eе', 'oоο0', 'pрρ', 'cс', 'xх', 'yуυ', 'kкκ', 'mмμ', 'tтτ₮', 'hн', 'bв', 'iіιı', 'sѕ5$', 'vν', 'l1'].flatMap(
    ([letter = '', ...others]) => others.map((other) => [other, letter] as const),
  ),
)

/** What is left of a text when signs that look the same are the same. */
function skeleton(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return [...plain]
    .map((sign) => lookAlikes.get(sign) ?? sign)
    .join('')
    .replace(/[\s._-]/g, '')
}
