import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { measures } from './measures.mjs'
import { readProject } from './readProject.mjs'

async function violationsOf(files: Record<string, string>): Promise<Record<string, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-metrics-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const project = await readProject(folder)
  const found = measures.map((measure) => [measure.name, measure.take(project, '').violations] as const)
  return Object.fromEntries(found.filter(([, violations]) => violations.length > 0))
}

test('clean code has no violation', async () => {
  expect(
    await violationsOf({
      'packages/one/src/parseCursor.ts': '/** Parses a cursor. */\nexport function parseCursor() {}',
    }),
  ).toEqual({})
})

test('a folder with 26 entries is reported', async () => {
  const files = Array.from({ length: 26 }, (_, index) => [`packages/one/src/a/a${index}.css`, ''])
  expect(Object.values(await violationsOf(Object.fromEntries(files)))).toEqual([['packages/one/src/a: 26 entries']])
})

test('an import cycle through types and lazy imports is reported', async () => {
  const found = await violationsOf({
    'packages/one/src/a.ts': `import type { B } from './b.ts'\nexport const a: B = 1`,
    'packages/one/src/b.ts': `export type B = number\nexport const load = () => import('./a.ts')`,
  })
  expect(Object.values(found)).toEqual([['2 files: packages/one/src/a.ts packages/one/src/b.ts']])
})

const longFunctions = 'long functions, except callbacks of describe, test and it'
const longBody = `{\n${'  call()\n'.repeat(59)}}`

test('a function with 61 lines is reported, also in a test file', async () => {
  const long = `export function a() ${longBody}\n`
  expect(
    await violationsOf({
      'packages/one/src/a.ts': long,
      'packages/one/src/a.test.ts': `const a = () => ${longBody}\nbeforeAll(() => ${longBody})`,
      'packages/one/src/testing/a.ts': long,
    }),
  ).toEqual({
    [longFunctions]: [
      'packages/one/src/a.test.ts:1 a: 61 lines',
      'packages/one/src/a.test.ts:62 a callback: 61 lines',
      'packages/one/src/a.ts:1 a: 61 lines',
      'packages/one/src/testing/a.ts:1 a: 61 lines',
    ],
  })
})

test.each([
  ['describe', `describe('a suite', () => ${longBody})`],
  ['test', `test('a title', async () => ${longBody})`],
  ['it.concurrent', `it.concurrent('a title', async function () ${longBody})`],
  ['test.each with rows', `test.each([1])('a title', () => ${longBody})`],
  ['describe.each with a table', `describe.each\`a\`('a suite', () => ${longBody})`],
  ['test with options', `test('a title', { timeout: 1 }, () => ${longBody})`],
])('the long callback of %s is not reported', async (_, text) => {
  expect(await violationsOf({ 'packages/one/src/a.test.ts': text })).toEqual({})
})

test('the long callback of a function called describe is reported in a file without tests', async () => {
  const found = await violationsOf({ 'packages/one/src/a.ts': `export const a = 1\ndescribe('a', () => ${longBody})` })
  expect(found).toEqual({ [longFunctions]: ['packages/one/src/a.ts:2 a callback: 61 lines'] })
})

test('a file that is not named after an export is reported', async () => {
  expect(await violationsOf({ 'packages/one/src/stuff.ts': 'export const parseCursor = 1' })).toEqual({
    'files not named after an export': ['packages/one/src/stuff.ts: exports parseCursor'],
  })
})

test('a function name in four files is reported', async () => {
  const files = ['a', 'b', 'c', 'd'].map((name) => [
    `packages/one/src/${name}.ts`,
    `export const ${name} = 1\nfunction read() {}`,
  ])
  const found = await violationsOf(Object.fromEntries(files))
  expect(found['repeated top-level function names']?.[0]).toMatch(/^read: 4 files/)
})

test('comments that open with a question word or use vague pronouns are reported', async () => {
  const words = ['Wha', 'Who', 'Nobod'].map(
    (word) => `// ${word}${word === 'Who' ? 'ever' : word === 'Wha' ? 't' : 'y'} reads.`,
  )
  const found = await violationsOf({
    'packages/one/src/a.ts': `${words.join('\n\n')}\n\n// ${'Ho'}w long it waits.\nexport const a = 1`,
  })
  expect(Object.values(found).map((violations) => violations.length)).toEqual([4, 2])
})

test('comments before punctuation, between words and in JSX are found', async () => {
  const found = await violationsOf({
    'packages/one/src/a.tsx': `export type a =
  // ${'Who'}ever reads.
  | { id: string } /* ${'Nobod'}y reads. */
  | /* ${'Wha'}t it is */ undefined
const element = <p>// ${'Wha'}t a text</p>
const pattern = [/\\/\\/ ${'Wha'}t/, \`\${1}// ${'Wha'}t\`] // ${'Whe'}re it is
`,
  })
  expect(found['comments that open with a question word']).toEqual([
    `packages/one/src/a.tsx:2: ${'Who'}ever reads.`,
    `packages/one/src/a.tsx:3: ${'Nobod'}y reads.`,
    'packages/one/src/a.tsx:4: What it is',
    'packages/one/src/a.tsx:6: Where it is',
  ])
})

test('vague words in errors and test titles are reported, in identifiers they are not', async () => {
  const word = ['no', 'body'].join('')
  const found = await violationsOf({
    'packages/one/src/a.test.ts': `test('it pays ${word}', () => {})\nthrow new Error(\`\${1} says: ${word} is there\`)\nconst a = '${word}'`,
  })
  expect(found).toEqual({
    'strings and test titles with such words': [
      `packages/one/src/a.test.ts:1: it pays ${word}`,
      `packages/one/src/a.test.ts:2: says: ${word} is there`,
    ],
  })
})

test('a package whose root entry does not export isLatchkeyError is reported', async () => {
  const manifest = (name: string) =>
    JSON.stringify({
      name,
      exports: { '.': { source: './src/index.ts' }, './internal': { source: './src/internal.ts' } },
    })
  const found = await violationsOf({
    'packages/one/package.json': manifest('@latchkey/one'),
    'packages/one/src/index.ts': `export { isLatchkeyError } from '@latchkey/protocol'`,
    'packages/one/src/internal.ts': 'export {}',
    'packages/two/package.json': manifest('@latchkey/two'),
    'packages/two/src/index.ts': `export { LatchkeyError } from '@latchkey/protocol'`,
  })
  expect(found).toEqual({ 'packages that do not export isLatchkeyError': ['packages/two/src/index.ts'] })
})
