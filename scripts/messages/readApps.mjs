import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @typedef {import('./compileChunk.mjs').Messages} Messages */

/**
 * A separately loaded part of an app's texts.
 *
 * @typedef {object} Chunk
 * @property {string} name
 * @property {string} [group] the top-level key whose texts the chunk consists of
 * @property {readonly string[]} [groups] top-level keys; a chunk without this property has all remaining keys
 * @property {boolean} [isBundled] all languages are in one module
 */

/** @typedef {{ folder: string, chunks: readonly Chunk[] }} AppConfig */
/** @typedef {{ locales: readonly string[], apps: readonly AppConfig[] }} Config */

/**
 * @typedef {object} App
 * @property {string} folder
 * @property {readonly Chunk[]} chunks
 * @property {ReadonlyMap<string, Messages>} messages by locale, English first; a language without a file is left out
 * @property {Readonly<Record<string, string>>} descriptions of the texts, by path
 */

/**
 * Reads the texts of all apps.
 *
 * @param {string} root the repository
 * @param {Config} config
 * @returns {Promise<App[]>}
 */
export function readApps(root, { locales, apps }) {
  return Promise.all(
    apps.map(async ({ folder, chunks }) => {
      const files = await Promise.all(
        locales.map((locale) => readJson(join(root, folder, 'messages', `${locale}.json`))),
      )
      const present = locales.flatMap((locale, index) => {
        const messages = files[index]
        return messages === undefined ? [] : [/** @type {[string, Messages]} */ ([locale, messages])]
      })
      if (present[0]?.[0] !== 'en') throw new Error(`${folder}/messages/en.json is missing.`)
      const descriptions = (await readJson(join(root, folder, 'messages', 'descriptions.json'))) ?? {}
      return { folder, chunks, messages: new Map(present), descriptions }
    }),
  )
}

/**
 * Returns the texts of a chunk in a language.
 *
 * @param {App} app
 * @param {Chunk} chunk
 * @param {Messages} messages
 * @returns {Messages}
 */
export function chunkMessages({ chunks }, { group, groups }, messages) {
  if (group !== undefined) {
    const texts = messages[group]
    return typeof texts === 'object' ? texts : {}
  }
  const taken = new Set(chunks.flatMap((chunk) => chunk.groups ?? chunk.group ?? []))
  const isInChunk = (/** @type {string} */ key) => groups?.includes(key) ?? !taken.has(key)
  return Object.fromEntries(Object.entries(messages).filter(([key]) => isInChunk(key)))
}

/** @param {string} path */
async function readJson(path) {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}
