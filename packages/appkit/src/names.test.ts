import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readNames, readPage, renderPage } from '../scripts/writeNames.mjs'

const folder = join(import.meta.dirname, '..')
const readText = (path: string): string => readFileSync(join(folder, path), 'utf8')
const reports = readdirSync(join(folder, 'api')).map((name) => readText(`api/${name}`))
/** The exports, and the sources of names that the reports leave out. */
const sources = ['events', 'instance', 'options', 'wallets', 'theme'].flatMap((name) =>
  readdirSync(join(folder, 'src', name)).map((file) => readText(`src/${name}/${file}`)),
)
const texts = [...reports, ...sources]
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[\w-]+/g))
const words = wordsOf(texts.join('\n'))
/** Sign-in and logins have the types of Latchkey. */
const ownWords = wordsOf(
  ['core/api/core', 'protocol/api/protocol'].map((path) => readText(`../${path}.api.md`)).join('\n'),
)
const { exports } = JSON.parse(readText('package.json')) as { exports: Record<string, unknown> }

/** Names whose parts are composed in the code. */
const composed: Readonly<Record<string, (name: string) => boolean>> = {
  Packages: (name) => isEntry(name),
  Elements: (name) => words.has(name.replace(/^(appkit|w3m)-/, '')),
  'Theme variables': (name) => words.has(name.replace(/^--(apkt|w3m)-/, '')),
  'SIWX and SIWE': (name) => words.has(name) || ownWords.has(name),
  'Ids of wallet buttons': (name) => words.has(name) || ownWords.has(name),
}

function isEntry(name: string): boolean {
  const path = name.replace(/^@reown\/appkit(-|\/|$)/, './').replace(/\/$/, '')
  return path in exports
}

describe.each(readNames())('$title', ({ title, names }) => {
  const isKnown = composed[title] ?? ((name: string) => words.has(name))

  test.each(names)('$name is $status, as docs/appkit.md states', ({ name, status }) => {
    expect(isKnown(name)).toBe(status !== 'absent')
  })

  test('every difference has a reason, and no name appears twice', () => {
    expect(names.filter(({ status, why }) => (status === 'same') === (why !== undefined))).toEqual([])
    expect(new Set(names.map(({ name }) => name)).size).toBe(names.length)
  })
})

test('docs/appkit.md has the current tables (node packages/appkit/scripts/writeNames.mjs)', async () => {
  expect(await renderPage(readPage())).toBe(readPage())
})
