import core from '@messageformat/core'
import compiler from '@messageformat/core/lib/compile-module.js'
import { argumentsOf } from './argumentsOf.mjs'

/** @typedef {{ readonly [key: string]: string | Messages }} Messages nested by key; the leaves are ICU MessageFormat */

// The package is CommonJS, but its types describe ES modules.
const MessageFormat = /** @type {typeof core.default} */ (/** @type {unknown} */ (core))
const compileModule = /** @type {typeof compiler.default} */ (/** @type {unknown} */ (compiler))

const runtime = '@latchkey/protocol/messages'

/**
 * Compiles the texts of one chunk in one language to a TypeScript module. Texts without arguments become strings, all
 * others functions of one object.
 *
 * @param {object} options
 * @param {string} options.locale BCP 47 tag
 * @param {string} options.source the file that the texts come from, for the header
 * @param {string} options.type name of the chunk's type, of the texts
 * @param {string} options.name of the exported constant
 * @param {Messages} options.messages
 * @param {string} [options.types] the module that exports the type
 * @param {boolean} options.isComplete false: a text may be missing, and English takes its place
 * @returns {string}
 */
export function compileChunk({ locale, source, type, name, messages, types = './types.ts', isComplete }) {
  const compiled = compileFunctions(locale, messages)
  const helpers = compiled.helpers.toSorted()
  const lines = [
    generatedHeader(source),
    ...(helpers.length === 0 && isComplete
      ? []
      : [`import { ${[...helpers, ...(isComplete ? [] : ['type PartialMessages'])].join(', ')} } from '${runtime}'`]),
    `import type { ${type} } from '${types}'`,
    '',
    ...compiled.rules.flatMap((rule) => [`const ${rule} = /* @__PURE__ */ pluralRule('${locale}')`, '']),
    `export const ${name}: ${isComplete ? type : `PartialMessages<${type}>`} = ${compiled.print(messages, '')}`,
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Compiles the texts of one chunk in all languages to a single module.
 *
 * @param {object} options
 * @param {string} options.type
 * @param {string} options.name of the exported constant
 * @param {string} options.source
 * @param {ReadonlyMap<string, Messages>} options.messages by locale; each is complete
 * @returns {string}
 */
export function compileBundledChunk({ type, name, source, messages }) {
  const entries = [...messages].map(([locale, texts]) => {
    const { print, helpers } = compileFunctions(locale, texts)
    if (helpers.length > 0) throw new Error(`${source}: a chunk with all languages can't contain plural forms.`)
    return `  ${printKey(locale)}: ${print(texts, '  ')},`
  })
  return `${[
    generatedHeader(source),
    `import type { Locale } from '../locales.ts'`,
    `import type { ${type} } from './types.ts'`,
    '',
    `export const ${name}: { readonly [locale in Locale]: ${type} } = {`,
    ...entries,
    '}',
  ].join('\n')}\n`
}

/**
 * @param {string} locale
 * @param {Messages} messages
 */
function compileFunctions(locale, messages) {
  const leaves = leavesOf(messages).filter(([, text]) => argumentsOf(text).size > 0)
  const names = new Map(leaves.map(([path], index) => [path, `m${index}`]))
  const flat = Object.fromEntries(leaves.map(([path, text]) => [names.get(path), text]))
  const code = compileModule(new MessageFormat(locale), flat)
  const functions = new Map([...code.matchAll(/^ {2}(m\d+): (.*?),?$/gm)].map(([, name, text]) => [name, text]))
  const rules = importsOf(code, '@messageformat/runtime/lib/cardinals')
  const helpers = importsOf(code, '@messageformat/runtime')
  return { rules, helpers: [...helpers, ...(rules.length > 0 ? ['pluralRule'] : [])], print }

  /** @type {(part: string | Messages, indent: string, path?: string) => string} */
  function print(part, indent, path = '') {
    if (typeof part === 'string') {
      const name = names.get(path)
      return (name === undefined ? undefined : functions.get(name)) ?? JSON.stringify(formatLiteral(locale, part))
    }
    const entries = Object.entries(part).map(
      ([key, value]) => `${indent}  ${printKey(key)}: ${print(value, `${indent}  `, `${path}.${key}`)},`,
    )
    return `{\n${entries.join('\n')}\n${indent}}`
  }
}

/**
 * @param {string} code
 * @param {string} from
 */
function importsOf(code, from) {
  const names = code.match(new RegExp(`^import \\{ (.*) \\} from "${from}";$`, 'm'))?.[1]
  return names === undefined ? [] : names.split(', ')
}

/**
 * @param {Messages} messages
 * @returns {[path: string, text: string][]}
 */
function leavesOf(messages, path = '') {
  return Object.entries(messages).flatMap(([key, part]) =>
    typeof part === 'string' ? [[`${path}.${key}`, part]] : leavesOf(part, `${path}.${key}`),
  )
}

/**
 * @param {string} locale
 * @param {string} text without arguments
 */
function formatLiteral(locale, text) {
  return new MessageFormat(locale).compile(text)({})
}

/**
 * The first line of a generated file.
 *
 * @param {string} source
 */
export function generatedHeader(source) {
  return `// Generated by scripts/messages.mjs from ${source}. Do not edit.`
}

/** @param {string} key */
export function printKey(key) {
  return /^[a-z_$][\w$]*$/i.test(key) ? key : `'${key}'`
}
