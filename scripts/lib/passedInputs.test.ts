import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashFiles, openPassedInputs, withDependencies } from './passedInputs.mjs'

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-passed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('an input is skipped only with the contents and the rules with which it passed', async () => {
  const file = join(await openFolder(), 'checks/prose.json')
  const first = openPassedInputs(file, 'rules')
  expect(first.has('a.md', 'text')).toBe(false)
  first.add('a.md', 'text')
  first.save()
  expect(openPassedInputs(file, 'rules').has('a.md', 'text')).toBe(true)
  expect(openPassedInputs(file, 'rules').has('a.md', 'other text')).toBe(false)
  expect(openPassedInputs(file, 'rules').has('a.md', 'te', 'xt')).toBe(false)
  expect(openPassedInputs(file, 'other rules').has('a.md', 'text')).toBe(false)
})

test('an input that failed or disappeared since is forgotten', async () => {
  const file = join(await openFolder(), 'prose.json')
  const first = openPassedInputs(file, 'rules')
  first.add('a.md', 'text')
  first.add('b.md', 'text')
  first.save()
  const second = openPassedInputs(file, 'rules')
  expect(second.has('a.md', 'wrong text')).toBe(false)
  expect(second.has('b.md', 'text')).toBe(true)
  second.save()
  expect(openPassedInputs(file, 'rules').has('a.md', 'text')).toBe(false)
  expect(openPassedInputs(file, 'rules').has('b.md', 'text')).toBe(true)
})

test('a damaged store skips nothing', async () => {
  const file = join(await openFolder(), 'prose.json')
  await writeFile(file, '{"a.md":')
  expect(openPassedInputs(file, 'rules').has('a.md', 'text')).toBe(false)
})

test('the hash of a folder changes with names and contents of the files that match', async () => {
  const folder = await openFolder()
  await writeFile(join(folder, 'a.d.ts'), 'one')
  const before = hashFiles(folder, /\.d\.ts$/)
  await writeFile(join(folder, 'a.js'), 'one')
  expect(hashFiles(folder, /\.d\.ts$/)).toBe(before)
  await writeFile(join(folder, 'b.d.ts'), '')
  expect(hashFiles(folder, /\.d\.ts$/)).not.toBe(before)
  expect(hashFiles(join(folder, 'missing'))).toBe('')
})

test('the dependencies of a package include those of its dependencies', async () => {
  const folder = await openFolder()
  const needs = { a: { '@latchkey/b': '1', viem: '2' }, b: { '@latchkey/c': '1', '@latchkey/a': '1' }, c: {}, d: {} }
  for (const [name, dependencies] of Object.entries(needs)) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'package.json'), JSON.stringify({ dependencies }))
  }
  expect(withDependencies(join(folder, 'a'))).toEqual(['a', 'b', 'c'].map((name) => join(folder, name)))
})
