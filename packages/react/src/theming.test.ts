import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const folder = import.meta.dirname
let source = ''
let page = ''

beforeAll(async () => {
  const paths = await readdir(folder, { recursive: true })
  const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  source = (await Promise.all(sources.map((path) => readFile(join(folder, path), 'utf8')))).join('\n')
  page = await readFile(join(folder, '../../../docs/theming.md'), 'utf8')
})

/** Returns the first column of the page's tables. */
function listDocumented(name: RegExp): readonly string[] {
  return [...page.matchAll(/^\| `([^`]+)`/gm)].flatMap(([, first = '']) => (name.test(first) ? [first] : [])).toSorted()
}

function listUsed(pattern: RegExp): readonly string[] {
  return [...new Set([...source.matchAll(pattern)].map(([, name = '']) => name))].toSorted()
}

test('the theming page lists exactly the tokens of the code', () => {
  expect(listDocumented(/^--/)).toEqual(listUsed(/var\((--latchkey-[\w-]+)/g))
})

test('the theming page lists exactly the parts of the code', () => {
  expect(listDocumented(/^\w+$/)).toEqual(listUsed(/\bpart="(\w+)"/g))
})
