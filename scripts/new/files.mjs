import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Writes a new file.
 *
 * @param {string} folder the repository
 * @param {string} path relative to it
 * @param {string} text
 * @returns {Promise<string>} the path
 * @throws {Error} if the file exists.
 */
export async function createFile(folder, path, text) {
  if (existsSync(join(folder, path))) throw new Error(`${path} exists already.`)
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
  return path
}

/**
 * Inserts text before the first match of a pattern.
 *
 * @param {string} folder the repository
 * @param {string} path relative to it
 * @param {RegExp} anchor
 * @param {string} text
 * @returns {Promise<string>} the path
 * @throws {Error} if the file contains no match.
 */
export async function insertBefore(folder, path, anchor, text) {
  const current = await readFile(join(folder, path), 'utf8')
  const match = anchor.exec(current)
  if (match === null) throw new Error(`${path}: the place for the new line was not found (${anchor}).`)
  await writeFile(join(folder, path), current.slice(0, match.index) + text + current.slice(match.index))
  return path
}

/**
 * Changes a JSON file.
 *
 * @param {string} folder the repository
 * @param {string} path relative to it
 * @param {(value: any) => void} change
 * @returns {Promise<string>} the path
 */
export async function changeJson(folder, path, change) {
  const value = JSON.parse(await readFile(join(folder, path), 'utf8'))
  change(value)
  await writeFile(join(folder, path), `${JSON.stringify(value, null, 2)}\n`)
  return path
}

/**
 * `gasPrices` becomes `GasPrices`.
 *
 * @param {string} name
 */
export function toPascalCase(name) {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/**
 * `GiftCard` becomes `giftCard`.
 *
 * @param {string} name
 */
export function toCamelCase(name) {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/**
 * Rejects a name that does not match the required form.
 *
 * @param {string} name
 * @param {RegExp} form
 * @param {string} example
 */
export function assertName(name, form, example) {
  if (!form.test(name)) throw new Error(`"${name}" is not a valid name. Write it like ${example}.`)
}
