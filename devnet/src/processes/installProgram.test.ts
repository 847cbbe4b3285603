import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installProgram, isProgramInstalled, type Program } from './installProgram.ts'

async function programWith(lock: object): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-program-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'nothing', version: '1.0.0', private: true }))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  return { folder, name: 'test program', duration: 'a moment' }
}

const emptyLock = {
  name: 'nothing',
  version: '1.0.0',
  lockfileVersion: 3,
  packages: { '': { name: 'nothing', version: '1.0.0' } },
}

test('concurrent calls install a program once, and a changed lockfile reinstalls it', { timeout: 60_000 }, async () => {
  const program = await programWith(emptyLock)
  const sentences: string[] = []
  const onProgress = (sentence: string): void => void sentences.push(sentence)
  expect(await isProgramInstalled(program)).toBe(false)
  await Promise.all([installProgram(program, { onProgress }), installProgram(program, { onProgress })])
  expect(sentences).toHaveLength(1)
  expect(await isProgramInstalled(program)).toBe(true)
  await writeFile(join(program.folder, 'package-lock.json'), JSON.stringify(emptyLock, undefined, 2))
  expect(await isProgramInstalled(program)).toBe(false)
})

test('the next call completes an interrupted installation', async () => {
  const program = await programWith(emptyLock)
  await mkdir(join(program.folder, '.installing'))
  // No process has this id.
  await writeFile(join(program.folder, '.installing', 'pid'), String(2 ** 30))
  await installProgram(program)
  expect(await isProgramInstalled(program)).toBe(true)
})

test('a failed installation returns a message that says what to do', { tags: 'faults' }, async () => {
  const program = await programWith({ lockfileVersion: 3 })
  await writeFile(join(program.folder, 'package-lock.json'), 'no lock')
  await expect(installProgram(program)).rejects.toThrow(`run "npm ci" in ${program.folder} where there is a network`)
  expect(await isProgramInstalled(program)).toBe(false)
})
