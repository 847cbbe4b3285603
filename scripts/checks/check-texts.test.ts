import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkTexts } from './check-texts.mjs'

async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-texts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
  return (await checkTexts(folder, 'packages.example')).problems
}

// Concatenated, so that the search doesn't report this file.
const call = '('

test.each([
  [`test.only${call}'a')`, 'a test that does not run'],
  [`test.describe.skip${call}'a')`, 'a test that does not run'],
  [`vi.mock${call}'a')`, 'a module mock: pass a fake through the seam'],
  [`expect${call}true).toBe(true)`, 'a test that cannot fail'],
  [`const home = '${'/'}root/latchkey'`, 'a path of one machine'],
  [`// see https://packages.example/viem`, 'a registry host'],
])('rejects %s', async (line, why) => {
  expect(await problemsOf({ 'a.test.ts': `\n${line}\n` })).toEqual([`a.test.ts:2: ${why}`])
})

test('rejects a lockfile that contains a registry host', async () => {
  const line = '      "resolved": "https://example.org/a.tgz"'
  expect(await problemsOf({ 'package-lock.json': line })).toEqual([
    'package-lock.json:1: a registry host in the lockfile',
  ])
})

test('accepts web paths, ignored files and prose about tests', async () => {
  expect(
    await problemsOf({
      '.gitignore': 'dist.js',
      'dist.js': `vi.mock${call}'a')`,
      'guide.md': `Never write test.only${call}…).`,
      'a.ts': `fetch('https://example.org/root/a')`,
    }),
  ).toEqual([])
})
