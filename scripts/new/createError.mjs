import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles } from '../lib/gate.mjs'
import { assertName } from './files.mjs'

/**
 * Adds an error code without context to a package: its declaration, its message and its heading in docs/errors.md.
 *
 * @param {string} folder the repository
 * @param {string} name of the package below `packages/`
 * @param {string} code for example `account/frozen`
 * @param {string} sentence says what happened and what to do
 * @returns {Promise<string[]>} the changed files: two
 */
export async function createError(folder, name, code, sentence = 'Describe what happened. Say what to do.') {
  assertName(code, /^[a-z][a-z-]*\/[a-z][a-z-]*$/, 'account/frozen')
  const source = await findErrors(folder, name, code)
  const text = await readFile(join(folder, source), 'utf8')
  await writeFile(join(folder, source), withCode(text, code, sentence, source))
  const document = await readFile(join(folder, 'docs/errors.md'), 'utf8')
  await writeFile(join(folder, 'docs/errors.md'), `${document.trimEnd()}\n\n### \`${code}\`\n\n${sentence}\n`)
  return [source, 'docs/errors.md']
}

/**
 * Finds the file of a package that declares errors of the same area, or else the first that declares any.
 *
 * @param {string} folder
 * @param {string} name
 * @param {string} code
 */
async function findErrors(folder, name, code) {
  const base = `packages/${name}/src`
  if (!existsSync(join(folder, base))) throw new Error(`There is no package "${name}".`)
  const paths = (await listFiles(join(folder, base), /\.ts$/)).filter((path) => !path.includes('.test.'))
  const area = code.slice(0, code.indexOf('/') + 1)
  const declaring = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(folder, base, path), 'utf8')
      if (!text.includes('interface ErrorContexts') || !text.includes('createErrors')) return undefined
      return { path: `${base}/${path}`, isSameArea: text.includes(`'${area}`) }
    }),
  )
  const found = declaring
    .filter((each) => each !== undefined)
    .toSorted((a, b) => Number(b.isSameArea) - Number(a.isSameArea))[0]
  if (found === undefined)
    throw new Error(`packages/${name} declares no errors yet: start with createErrors in a file of its own.`)
  return found.path
}

/**
 * @param {string} text
 * @param {string} code
 * @param {string} sentence
 * @param {string} path
 */
function withCode(text, code, sentence, path) {
  const declared = text.replace(/(interface ErrorContexts \{\n)/, `$1    '${code}': object\n`)
  // A union of codes, if the file has one, takes the new code as well.
  const listed = declared.replace(/(type \w*Code =)\n/, `$1\n  | '${code}'\n`)
  const withSentence = listed.replace(
    /(createErrors(?:<[^>]*>)?\(\{\n)/,
    `$1  '${code}': () => ${JSON.stringify(sentence)},\n`,
  )
  if (withSentence === listed) throw new Error(`${path}: the call of createErrors was not found.`)
  return withSentence
}
