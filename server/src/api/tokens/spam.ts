/** The names of a token. */
type TokenNames = { name: string | null; symbol: string | null }

/** Honest tokens have no URL in their name. */
const place =
  /https?:|www\.|\b[\w-]+\s?\.\s?(?:com|org|net|io|xyz|app|site|top|gift|finance|pro|info|me|cc|live|link|vip|fi|fun|club|online)\b/iu
const lure = /\b(?:claim|airdrop|reward|voucher|visit|free\s?mint|giveaway|redeem|bonus|congratulations|eligible)\b/iu

/**
 * True if a token looks like spam. The rules are documented in `docs/data.md`. They use only the names of the contract,
 * so results are predictable.
 *
 * @param listed the tokens of the operator's list
 */
export function isSpam({ name, symbol }: TokenNames, listed: readonly { name: string; symbol: string }[]): boolean {
  const texts = [name ?? '', symbol ?? '']
  if (texts.some((text) => place.test(text) || lure.test(text))) return true
  return texts.some((text) => text !== '' && imitatesListedToken(text, listed))
}

/** True if the text looks like the name of a listed token. */
function imitatesListedToken(text: string, listed: readonly { name: string; symbol: string }[]): boolean {
  const looks = toSkeleton(text)
  return listed.some((token) => [token.name, token.symbol].some((known) => toSkeleton(known) === looks))
}

/** Characters that look like a Latin letter. */
const lookAlikeLetters: ReadonlyMap<string, string> = new Map(
  ['aаα', 'eе', 'oоο0', 'pрρ', 'cс', 'xх', 'yуυ', 'kкκ', 'mмμ', 'tтτ₮', 'hн', 'bв', 'iіιı', 'sѕ5$', 'vν', 'l1'].flatMap(
    ([letter = '', ...others]) => others.map((other) => [other, letter] as const),
  ),
)

/** Replaces look-alike characters, so that similar strings become equal. */
function toSkeleton(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return [...plain]
    .map((sign) => lookAlikeLetters.get(sign) ?? sign)
    .join('')
    .replace(/[\s._-]/g, '')
}
