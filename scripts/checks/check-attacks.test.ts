import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../lib/root.mjs'
import { readAttacks } from '../testing/cases/readAttacks.mjs'
import { checkAttacks } from './check-attacks.mjs'

async function problemsOf(table: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-attacks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = {
    'docs/security-cases.md': `| attack | test | file |\n| --- | --- | --- |\n${table}`,
    'server/src/a.test.ts': `// a comment about sealed rows\ntest('a stranger reads %s [K-05]', () => {})`,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return (await checkAttacks(folder)).problems
}

test('a row whose file has a test with the title is accepted', async () => {
  expect(await problemsOf('| Theft | a stranger reads   | [a.test.ts](../server/src/a.test.ts) |\n')).toEqual([])
})

test('a title that occurs in no test of its file is reported, even if a comment contains it', async () => {
  expect(await problemsOf('| Theft | sealed rows | [a.test.ts](../server/src/a.test.ts) |\n')).toEqual([
    'docs/security-cases.md: Theft: server/src/a.test.ts has no test "sealed rows"',
  ])
})

test('a missing file and a missing table are reported', async () => {
  expect(await problemsOf('| Theft | a stranger reads | [b.test.ts](../server/src/b.test.ts) |\n')).toEqual([
    'docs/security-cases.md: Theft: there is no file server/src/b.test.ts',
  ])
  expect(await problemsOf('')).toEqual(['docs/security-cases.md: there is no table of attacks'])
})

test('each attack of the documentation has its test', { tags: 'faults' }, async () => {
  const attacks = await readAttacks(root)
  expect(new Set(attacks.map(({ attack }) => attack)).size).toBeGreaterThan(15)
  expect((await checkAttacks(root)).problems).toEqual([])
})
