import { compileBundledChunk, compileChunk, generatedHeader, printKey } from './compileChunk.mjs'
import { printTypes } from './printTypes.mjs'
import { pseudoMessages } from './pseudoMessages.mjs'
import { chunkMessages } from './readApps.mjs'

/** @typedef {import('./compileChunk.mjs').Messages} Messages */
/** @typedef {import('./readApps.mjs').App} App */
/** @typedef {import('./readApps.mjs').Chunk} Chunk */
/** @typedef {[path: string, code: string]} GeneratedFile */

/** The compiled texts, in the folder of their app. */
export const generatedFolder = 'src/messages/generated'

const header = generatedHeader('messages/*.json')

/**
 * Compiles all texts of an app.
 *
 * @param {App} app
 * @returns {Map<string, string>} TypeScript by path, relative to the folder of compiled texts
 */
export function compileApp(app) {
  return new Map([
    ['index.ts', printIndex(app)],
    ['locales.ts', printLocales(app)],
    ['pseudo.ts', printPseudoLocale(app)],
    ...app.chunks.flatMap((chunk) => compileAppChunk(app, chunk)),
  ])
}

/**
 * @param {App} app
 * @param {Chunk} chunk
 * @returns {GeneratedFile[]}
 */
function compileAppChunk(app, chunk) {
  const type = typeName(chunk)
  const messages = chunkMessages(app, chunk, englishOf(app))
  const path = chunk.group ?? ''
  const types = printTypes({ source: 'messages/en.json', type, messages, descriptions: app.descriptions, path })
  const options = { locale: 'en', source: 'messages/en.json', name: 'english', type, messages, isComplete: true }
  return [
    [`${chunk.name}/types.ts`, types],
    [`${chunk.name}/en.ts`, compileChunk(options)],
    ...(chunk.isBundled === true ? [bundledTranslations(app, chunk)] : lazyTranslations(app, chunk)),
  ]
}

/**
 * @param {App} app
 * @param {Chunk} chunk
 * @returns {GeneratedFile}
 */
function bundledTranslations(app, chunk) {
  const english = chunkMessages(app, chunk, englishOf(app))
  const messages = new Map(
    [...app.messages].map(([locale, texts]) => [locale, fillGaps(english, chunkMessages(app, chunk, texts))]),
  )
  const type = typeName(chunk)
  const name = `${chunk.name}Translations`
  return [`${chunk.name}/${name}.ts`, compileBundledChunk({ type, name, source: 'messages/*.json', messages })]
}

/** @type {(english: Messages, translation: Messages) => Messages} */
function fillGaps(english, translation) {
  const entries = Object.entries(english).map(([key, text]) => {
    const translated = translation[key]
    if (typeof text === 'string') return [key, typeof translated === 'string' ? translated : text]
    return [key, fillGaps(text, typeof translated === 'object' ? translated : {})]
  })
  return Object.fromEntries(entries)
}

/** @type {(english: Messages, translation: Messages) => Messages} */
function dropStale(english, translation) {
  const entries = Object.entries(translation).flatMap(([key, text]) => {
    const model = english[key]
    if (typeof model === 'string') return typeof text === 'string' ? [[key, text]] : []
    return model !== undefined && typeof text === 'object' ? [[key, dropStale(model, text)]] : []
  })
  return Object.fromEntries(entries)
}

/**
 * @param {App} app
 * @param {Chunk} chunk
 * @returns {GeneratedFile[]}
 */
function lazyTranslations(app, chunk) {
  const type = typeName(chunk)
  const name = `${chunk.name}Messages`
  const translations = [...app.messages].filter(([locale]) => locale !== 'en')
  const files = translations.map(([locale, texts]) => {
    const messages = dropStale(chunkMessages(app, chunk, englishOf(app)), chunkMessages(app, chunk, texts))
    const options = {
      locale,
      source: `messages/${locale}.json`,
      name: 'translation',
      type,
      messages,
      isComplete: false,
    }
    return /** @type {GeneratedFile} */ ([`${chunk.name}/${locale}.ts`, compileChunk(options)])
  })
  const imports = translations.map(([locale]) => `    ${printKey(locale)}: () => import('./${locale}.ts'),`)
  const code = `${header}
import type { MessageChunk } from '@latchkey/protocol/messages'
import { english } from './en.ts'
import type { ${type} } from './types.ts'

export const ${name}: MessageChunk<${type}> = {
  name: '${chunk.name}',
  english,
  translations: {${imports.map((line) => `\n${line}`).join('')}${imports.length > 0 ? '\n  ' : ''}},
}
`
  return [...files, [`${chunk.name}/${name}.ts`, code]]
}

/** @param {App} app */
function printLocales({ messages }) {
  const names = [...messages.keys()].map((locale) => `'${locale}'`)
  return `${header}

/** A language that there are texts in, as a BCP 47 tag. */
export type Locale = ${names.join(' | ')}

export const locales: readonly Locale[] = [${names.join(', ')}]
`
}

/** @param {App} app */
function printIndex({ chunks }) {
  const lines = chunks.flatMap(({ name, isBundled }) =>
    isBundled === true
      ? [
          `export { english as ${name}English } from './${name}/en.ts'`,
          `export { ${name}Translations } from './${name}/${name}Translations.ts'`,
        ]
      : [`export { ${name}Messages } from './${name}/${name}Messages.ts'`],
  )
  const types = chunks.map((chunk) => `import type { ${typeName(chunk)} } from './${chunk.name}/types.ts'`)
  const all = chunks.map((chunk) =>
    chunk.group === undefined ? typeName(chunk) : `{ ${printKey(chunk.group)}: ${typeName(chunk)} }`,
  )
  return `${header}
${[...types, '', ...lines].join('\n')}
export { locales, type Locale } from './locales.ts'
export type { ${chunks.map(typeName).join(', ')} }

/** All texts of all chunks, by group. */
export type Messages = ${all.join(' & ')}
`
}

/** @param {App} app */
function printPseudoLocale(app) {
  const messages = pseudoMessages(englishOf(app))
  const options = { locale: 'en-XA', source: 'messages/en.json', name: 'pseudo', type: 'Messages', isComplete: true }
  return compileChunk({ ...options, messages, types: './index.ts' })
}

/** @param {App} app */
function englishOf({ messages }) {
  return messages.get('en') ?? {}
}

/** @param {Chunk} chunk */
function typeName({ name }) {
  return `${name[0]?.toUpperCase()}${name.slice(1)}Messages`
}
