import { parse } from '@messageformat/parser'

/** @typedef {import('./compileChunk.mjs').Messages} Messages */

const plain = 'aeioucnAEIOUCNS'
const accented = 'áéîöüçñÁÉÎÖÜÇÑŠ'
const growth = 0.4

/**
 * Turns English into the pseudo-locale `en-XA`: accented, 40 % longer, in brackets. On screen, a text without brackets
 * was not translated or is cut off. Arguments, plural forms and the tags of links stay as they are.
 *
 * @param {Messages} messages English
 * @returns {Messages}
 */
export function pseudoMessages(messages) {
  return Object.fromEntries(
    Object.entries(messages).map(([key, part]) => [
      key,
      typeof part === 'string' ? pseudoText(part) : pseudoMessages(part),
    ]),
  )
}

/**
 * @param {string} text ICU MessageFormat
 * @returns {string}
 */
export function pseudoText(text) {
  // Arguments and the syntax of plural forms are not visible.
  const visible = text.replace(/\{[^{}]*\}/g, '').length
  const padding = ' ~'.repeat(Math.ceil((visible * growth) / 2))
  return `[${printTokens(parse(text))}${padding}]`
}

/** @typedef {import('@messageformat/parser').Token | import('@messageformat/parser').Octothorpe} Token */

/** @param {readonly Token[]} tokens */
function printTokens(tokens) {
  return tokens.map(printToken).join('')
}

/**
 * @param {Token} token
 * @returns {string}
 */
function printToken(token) {
  if (token.type === 'content') return addAccents(token.ctx.text)
  if (!('cases' in token)) return token.ctx.text
  const cases = token.cases.map(({ key, tokens }) => `${key} {${printTokens(tokens)}}`)
  return `${token.ctx.text.trimEnd()} ${cases.join(' ')}}`
}

/** @param {string} text */
function addAccents(text) {
  // The words of a link stand alone on screen.
  const linked = text.replace(/<(\w+)>(.*?)<\/\1>/g, '<$1>[$2]</$1>')
  return linked.replace(/<[^>]*>|[a-z]/gi, (found) => accented[plain.indexOf(found)] ?? found)
}
