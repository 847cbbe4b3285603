import { parse } from '@messageformat/parser'

/** @typedef {'string' | 'number'} ArgumentType */
/** @typedef {import('@messageformat/parser').Token | import('@messageformat/parser').Octothorpe} Token */

/** Arguments with these names are numbers, even if the text has no plural forms. */
const numbers = new Set(['count', 'seconds'])

/**
 * Returns the arguments of a text, by name.
 *
 * @param {string} text ICU MessageFormat
 * @returns {Map<string, ArgumentType>}
 * @throws Error if the text is not ICU MessageFormat
 */
export function argumentsOf(text) {
  /** @type {Map<string, ArgumentType>} */
  const found = new Map()
  collect(parse(text))
  return found

  /** @param {readonly Token[]} tokens */
  function collect(tokens) {
    for (const token of tokens) {
      // `#` formats a number with the digits of the language. Our numbers look the same in all languages.
      if (token.type === 'octothorpe') throw new Error(`Write the name of the number in place of #: ${text}`)
      if (!('arg' in token)) continue
      const isNumber = token.type === 'plural' || token.type === 'selectordinal' || numbers.has(token.arg)
      found.set(token.arg, isNumber ? 'number' : (found.get(token.arg) ?? 'string'))
      if ('cases' in token) for (const { tokens } of token.cases) collect(tokens)
    }
  }
}
