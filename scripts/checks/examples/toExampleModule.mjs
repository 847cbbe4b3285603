import { join } from 'node:path'

/**
 * @typedef {object} Example
 * @property {string} path of the source that contains it
 * @property {number} line of its first line in that source
 * @property {string} code
 * @property {readonly string[]} exports names that its source exports
 * @property {boolean} isDocument true for a code block of a document, false for an `@example`
 */

/**
 * The places from which an example may use a name without importing it, by name.
 *
 * @typedef {object} Surroundings
 * @property {ReadonlyMap<string, string>} entries the entry that exports each public name
 * @property {ReadonlySet<string>} globals names of the prelude
 * @property {ReadonlyMap<string, ReadonlySet<string>>} documents names that `examples/documents.d.ts` declares for a document
 */

const builtInNames = new Set(['undefined', 'arguments', 'globalThis'])

/**
 * Wraps an example in a module that imports the names it uses.
 *
 * @param {string} folder
 * @param {Example} example
 * @param {Surroundings} surroundings
 */
export function toExampleModule(folder, example, surroundings) {
  const { code } = example
  const imports = [...importsOf(folder, example, surroundings)]
    .map(([name, from]) => `import { ${name} } from '${from}'; `)
    .join('')
  if (/^(import|export) /m.test(code)) return `${imports}\n${code}`
  // Markup, alone or after statements, is what a component returns.
  const markup = /^</m.exec(code)?.index ?? code.length
  const body = markup < code.length ? `${code.slice(0, markup)}return (<>${code.slice(markup)}</>)` : code
  return `${imports}export async function example() {\n${body}\n}`
}

/**
 * @param {string} folder
 * @param {Example} example
 * @param {Surroundings} surroundings
 * @returns {Map<string, string>} the module of each name that an example uses without importing or declaring it
 */
function importsOf(folder, { code, path, exports, isDocument }, { entries, globals, documents }) {
  const used = new Set([...code.matchAll(/(?<![.\w'"`-])[A-Za-z_]\w*/g)].map(([name]) => name))
  const imported = [...code.matchAll(/import (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  )
  const isWhole = isDocument && imported.length > 0
  /** @param {string} name */
  const moduleOf = (name) => {
    if (documents.get(path)?.has(name)) return path
    if (exports.includes(name)) return join(folder, path)
    return isWhole || globals.has(name) ? undefined : entries.get(name)
  }
  /** @type {Map<string, string>} */
  const modules = new Map()
  for (const name of used) {
    const from = moduleOf(name)
    const isOwn = imported.includes(name) || builtInNames.has(name) || declares(code, name)
    if (from !== undefined && !isOwn) modules.set(name, from)
  }
  return modules
}

/**
 * @param {string} code
 * @param {string} name
 */
function declares(code, name) {
  return new RegExp(`(const|let|function) \\{?[^=]*\\b${name}\\b[^=]*=`).test(code)
}

/** @param {string} text */
export function declaredNames(text) {
  return new Set([...text.matchAll(/^\s*(?:const|let|function) (\w+)/gm)].map(([, name = '']) => name))
}

/**
 * @param {string} text declarations of modules that are named after documents
 * @returns {Map<string, ReadonlySet<string>>}
 */
export function namesOfDocuments(text) {
  return new Map(
    [...text.matchAll(/^declare module '([^']+)' \{\n([\s\S]*?)^\}/gm)].map(([, path = '', body = '']) => [
      path,
      declaredNames(body),
    ]),
  )
}
