import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runFuzz, type FuzzTarget } from './runFuzz.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-fuzz-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A parser of numbers in brackets, whose defect needs two changes of the valid input. */
const target: FuzzTarget = {
  name: 'a planted defect',
  starts: ['[1]'],
  run(input) {
    if (!input.startsWith('[')) return 'no bracket'
    if (!input.includes('__proto__')) return 'no name'
    if (input.endsWith(']')) throw new Error('planted')
    return 'a name without an end'
  },
}

test('a planted defect is found, and its input fails again in the next run', async () => {
  await expect(runFuzz(target, { rounds: 20_000, folder, seed: 7 })).rejects.toThrow('failed with seed 7')
  await expect(runFuzz(target, { rounds: 0, folder, seed: 8 })).rejects.toThrow('failed with seed 8')
})

test('the corpus grows by one input per kind of outcome, and the next run starts with it', async () => {
  const harmless: FuzzTarget = { ...target, name: 'lengths', run: (input) => String(input.length) }
  const first = await runFuzz(harmless, { rounds: 200, folder, seed: 7 })
  expect(first.size).toBeGreaterThan(10)
  expect(await readdir(join(folder, 'lengths'))).toHaveLength(first.size)
  const second = await runFuzz(harmless, { rounds: 200, folder, seed: 8 })
  expect(second.size).toBeGreaterThanOrEqual(first.size)
  expect(second.size - first.size).toBe(second.added)
})

test('a seed repeats the inputs of a run on an empty corpus', async () => {
  const listInputs = async (name: string): Promise<readonly string[]> => {
    const inputs: string[] = []
    const run = (input: string): string => (inputs.push(input), 'same')
    await runFuzz({ name, starts: ['[1]'], run }, { rounds: 50, folder, seed: 7 })
    return inputs
  }
  expect(await listInputs('one')).toEqual(await listInputs('other'))
})
