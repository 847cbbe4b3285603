/** How many characters the first label of a name has at least [R5.6.1]. */
export const shortestName = 4
const longestName = 64

/**
 * Whether a text can be registered as a name, its suffix left out: letters, digits and hyphens, at least four [R5.6.1].
 *
 * @example isName('visitor-7') // true
 */
export function isName(text: string): boolean {
  const isInAlphabet = /^[a-zA-Z0-9-]+$/.test(text)
  // Two hyphens there announce another alphabet (ENSIP-15), which nobody would read as it is written.
  const isForeign = text.slice(2, 4) === '--'
  return isInAlphabet && !isForeign && text.length >= shortestName && text.length <= longestName
}

/** A name as it is compared; undefined when it cannot be one of a Latchkey server. */
export function normalName(text: string): string | undefined {
  // Some signs outside of ASCII have their lower case inside of it.
  return /^[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+$/.test(text) ? text.toLowerCase() : undefined
}
