/** The most common email domains. */
const domains: readonly string[] = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'yahoo.com',
  'icloud.com',
  'me.com',
  'proton.me',
  'protonmail.com',
  'gmx.de',
  'web.de',
  'mail.ru',
  'yandex.ru',
  'qq.com',
]

/** The maximum length of an address (RFC 5321). */
const longest = 254

/** True if a string looks like an email address [R5.3.1]. Only a delivered email proves that it is one. */
export function isEmail(text: string): boolean {
  return text.length <= longest && /^[^\s@<>()",;:\\]{1,64}@[^\s@.]+(\.[^\s@.]+)*\.[^\s@.]{2,}$/u.test(text)
}

/**
 * Corrects a typo in the domain of an address.
 *
 * @returns `undefined` if the domain is not similar to a common one
 *
 * @example correctEmail('ann@gmial.com') // 'ann@gmail.com'
 */
export function correctEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const [name, domain] = [text.slice(0, at), text.slice(at + 1).toLowerCase()]
  if (at < 1 || domain.length < 4 || !domain.includes('.') || domains.includes(domain)) return undefined
  const near = domains
    .map((candidate) => ({ candidate, steps: getEditDistance(domain, candidate) }))
    .filter(({ candidate, steps }) => candidate.length > 6 && steps <= (candidate.length > 7 ? 2 : 1))
    .toSorted((a, b) => a.steps - b.steps)[0]
  return near === undefined ? undefined : `${name}@${near.candidate}`
}

/** The Damerau-Levenshtein distance of two strings. */
function getEditDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const change = at(i - 1, j - 1) + (isSame ? 0 : 1)
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, change, isSwapped ? at(i - 2, j - 2) + 1 : Infinity))
    }
  }
  return at(one.length, other.length)
}
