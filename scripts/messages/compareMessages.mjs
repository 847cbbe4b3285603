import { argumentsOf } from './argumentsOf.mjs'

/** @typedef {import('./compileChunk.mjs').Messages} Messages */

/**
 * The differences between a language and English, by path such as `connect.title`.
 *
 * @typedef {object} Comparison
 * @property {readonly string[]} missing no text; English takes its place
 * @property {readonly string[]} stale English has no such text; it is not used
 * @property {readonly string[]} invalid not ICU MessageFormat, empty, or with other arguments than English
 */

/**
 * Compares a language with English.
 *
 * @param {Messages} english
 * @param {Messages} translation
 * @returns {Comparison}
 */
export function compareMessages(english, translation) {
  const model = textsOf(english)
  const texts = textsOf(translation)
  const shared = [...model].filter(([path]) => texts.has(path))
  return {
    missing: [...model.keys()].filter((path) => !texts.has(path)),
    stale: [...texts.keys()].filter((path) => !model.has(path)),
    invalid: shared.filter(([path, text]) => !isTranslationOf(text, texts.get(path) ?? '')).map(([path]) => path),
  }
}

/**
 * @param {string} english
 * @param {string} text
 */
function isTranslationOf(english, text) {
  if (text.trim() === '') return false
  try {
    const names = [...argumentsOf(text).keys()].toSorted()
    return names.join() === [...argumentsOf(english).keys()].toSorted().join()
  } catch {
    return false
  }
}

/**
 * @param {Messages} messages
 * @returns {Map<string, string>} by path
 */
function textsOf(messages, before = '') {
  return new Map(
    Object.entries(messages).flatMap(([key, part]) =>
      typeof part === 'string' ? [[`${before}${key}`, part]] : [...textsOf(part, `${before}${key}.`)],
    ),
  )
}
