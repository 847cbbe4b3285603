import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPassedInputs } from '../lib/passedInputs.mjs'
import { checkFormat } from './check-format.mjs'

async function openRepository(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-format-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('reports files that are not formatted or not valid, except ignored ones and other kinds', async () => {
  const folder = await openRepository({
    '.prettierignore': 'ignored.ts',
    '.prettierrc.json': '{ "semi": false }\n',
    'good.ts': 'export const a = 1\n',
    'bad.ts': 'export const a = 1;\n',
    'broken.ts': 'export const\n',
    'ignored.ts': 'export const a = 1;\n',
    'picture.png': '\0',
  })
  const { problems } = await checkFormat(folder)
  expect(problems).toEqual([
    'bad.ts: not formatted, run npx prettier --write on it',
    'broken.ts: A variable declaration list must have at least one variable declarator. (1:1)',
  ])
})

test('a file that passed is not formatted again, and one that failed is', async () => {
  const folder = await openRepository({ 'good.ts': 'export const a = 1;\n', 'bad.ts': 'export const a = 1\n' })
  const store = join(folder, '.git/passed.json')
  for (const _ of [1, 2]) {
    const { problems } = await checkFormat(folder, openPassedInputs(store, 'rules'))
    expect(problems).toEqual(['bad.ts: not formatted, run npx prettier --write on it'])
  }
  const passed = openPassedInputs(store, 'rules')
  expect(passed.has('good.ts', 'export const a = 1;\n')).toBe(true)
  expect(passed.has('bad.ts', 'export const a = 1\n')).toBe(false)
})
