import { argumentsOf } from './argumentsOf.mjs'
import { generatedHeader, printKey } from './compileChunk.mjs'

/** @typedef {import('./compileChunk.mjs').Messages} Messages */

/**
 * Prints the type of a chunk's texts, with the descriptions that translators see as docstrings.
 *
 * @param {object} options
 * @param {string} options.source the English file
 * @param {string} options.type name of the type
 * @param {Messages} options.messages English
 * @param {Readonly<Record<string, string>>} options.descriptions by path, such as `connect.title`
 * @param {string} options.path of the messages; empty at the top
 */
export function printTypes({ source, type, messages, descriptions, path: start }) {
  const description = descriptions[start]
  const docstring =
    description === undefined
      ? ''
      : `/** ${description} */
`
  return `${generatedHeader(source)}

${docstring}export type ${type} = ${print(messages, '', start)}
`

  /** @type {(node: string | Messages, indent: string, path: string) => string} */
  function print(node, indent, path) {
    if (typeof node === 'string') return printText(node)
    const entries = Object.entries(node).flatMap(([key, value]) => {
      const childPath = path === '' ? key : `${path}.${key}`
      const description = descriptions[childPath]
      const property = `${indent}  ${printKey(key)}: ${print(value, `${indent}  `, childPath)}`
      return description === undefined ? [property] : [`${indent}  /** ${description} */`, property]
    })
    return `{\n${entries.join('\n')}\n${indent}}`
  }
}

/** @param {string} text */
function printText(text) {
  const args = [...argumentsOf(text)].map(([name, argumentType]) => `${name}: ${argumentType}`)
  return args.length === 0 ? 'string' : `(args: { ${args.join('; ')} }) => string`
}
