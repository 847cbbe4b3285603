import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertName, changeJson, createFile } from './files.mjs'

const config = 'scripts/messages/config.json'

/**
 * Creates a language of the modal as a copy of the English messages, to be translated. The frame and the server fall back
 * to English until they have their own file.
 *
 * @param {string} folder the repository
 * @param {string} locale BCP 47 tag
 * @returns {Promise<string[]>} the changed files: one file and one line
 */
export async function createLanguage(folder, locale) {
  assertName(locale, /^[a-z]{2,3}(-[A-Z]{2})?$/, 'pl or pt-BR')
  const english = await readFile(join(folder, 'packages/modal/messages/en.json'), 'utf8')
  return [
    await createFile(folder, `packages/modal/messages/${locale}.json`, english),
    await changeJson(folder, config, ({ locales }) => locales.push(locale)),
  ]
}
