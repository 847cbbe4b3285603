import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkProse } from './check-prose.mjs'

const terms = `version: 1
rules:
  - expected: timeout
    pattern: /\\bpatience\\b/i
`

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-prose-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [path, text] of Object.entries({ ...files, 'terms.yml': terms })) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return (await checkProse(folder, join(folder, 'terms.yml'))).problems
}

test('words outside the glossary are reported in documentation, comments and English messages', async () => {
  expect(
    await problemsOf({
      'guide.md': '# Guide\n\nThe patience ends.\n',
      'a.ts': 'export const a = 1\n// Its patience.\n',
      'messages/en.json': '{ "a": "No patience." }',
    }),
  ).toEqual([
    'a.ts:2: patience => timeout',
    'guide.md:3: patience => timeout',
    'messages/en.json:1: patience => timeout',
  ])
})

test('code and quoted code are not prose', async () => {
  expect(await problemsOf({ 'a.ts': `export const patience = 'patience'`, 'b.md': 'Use `patience`.\n' })).toEqual([])
})

test('comments before the bar of a union are prose', async () => {
  expect(await problemsOf({ 'a.ts': 'type A =\n  // Its patience.\n  | 1\n' })).toEqual(['a.ts:2: patience => timeout'])
})
