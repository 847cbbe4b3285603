/** The minimum length of the first label of a name [R5.6.1]. */
export const minimumNameLength = 4
const longestName = 64

/**
 * True if a string can be registered as a name without its suffix: letters, digits and hyphens, at least four [R5.6.1].
 *
 * @example isName('user-7') // true
 */
export function isName(text: string): boolean {
  const isInAlphabet = /^[a-zA-Z0-9-]+$/.test(text)
  // Two hyphens in this position mark a punycode label (ENSIP-15), which users can't read.
  const isForeign = text.slice(2, 4) === '--'
  return isInAlphabet && !isForeign && text.length >= minimumNameLength && text.length <= longestName
}

/** Normalises a name for comparison. Returns undefined if a Latchkey server can't have such a name. */
export function normalizeName(text: string): string | undefined {
  // The lower case of some non-ASCII characters is ASCII.
  return /^[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+$/.test(text) ? text.toLowerCase() : undefined
}
