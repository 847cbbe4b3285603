import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPassedGates, runGates, type Gate } from '../check.mjs'

const programs = {
  './ok.mjs': 'console.log("fine")',
  './bad.mjs': 'console.log("see here"); console.error("and here"); process.exitCode = 3',
}

async function run(gates: readonly Gate[]): Promise<{ open: Record<string, boolean>; printed: string }> {
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-check-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  for (const [name, code] of Object.entries(programs)) await writeFile(join(cwd, name), code)
  const lines: string[] = []
  const results = await runGates(gates, { cwd, print: (line) => lines.push(line) })
  return {
    open: Object.fromEntries(results.map(({ name, hasPassed }) => [name, hasPassed])),
    printed: lines.join('\n'),
  }
}

test('runs every gate and prints the output of failed gates at the end', async () => {
  const { open, printed } = await run([
    { name: 'first', command: './bad.mjs' },
    { name: 'second', command: './ok.mjs' },
    { name: 'third', command: './ok.mjs' },
  ])
  expect(open).toEqual({ first: false, second: true, third: true })
  expect(printed).toMatch(/FAILED {2}first +\d\.\d s/)
  expect(printed).toMatch(/ok {6}third +\d\.\d s/)
  expect(printed.endsWith('\n--- first ---\nsee here\nand here')).toBe(true)
})

test('skips a gate if the gate that it needs has failed', async () => {
  const { open, printed } = await run([
    { name: 'build', command: './bad.mjs' },
    { name: 'shape', command: './ok.mjs', after: 'build' },
  ])
  expect(open).toEqual({ build: false, shape: false })
  expect(printed).toContain('Not run, because build failed.')
})

test('a gate fails if its program does not exist', async () => {
  const { open } = await run([{ name: 'gone', command: 'latchkey-no-such-program' }])
  expect(open).toEqual({ gone: false })
})

test('a gate that passed is skipped until one of its inputs or the lockfile changes', { tags: 'faults' }, async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'latchkey-check-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  execFileSync('git', ['init', '--quiet'], { cwd })
  const write = (files: Record<string, string>) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(cwd, name), text)))
  await write({ ...programs, '.gitignore': 'passed.json', 'a.ts': '', 'a.md': '', 'package-lock.json': '' })
  const ran = async (): Promise<string[]> => {
    const gates: readonly Gate[] = [
      { name: 'types', command: './ok.mjs', inputs: /\.ts$/ },
      { name: 'prose', command: './bad.mjs', inputs: /\.md$/ },
      { name: 'texts', command: './ok.mjs' },
    ]
    const passed = await openPassedGates(cwd, join(cwd, 'passed.json'))
    const results = await runGates(gates, { cwd, print: () => undefined, passed })
    return results.filter(({ isSkipped }) => isSkipped !== true).map(({ name }) => name)
  }
  expect(await ran()).toEqual(['types', 'prose', 'texts'])
  expect(await ran()).toEqual(['prose', 'texts'])
  await write({ 'a.md': 'changed' })
  expect(await ran()).toEqual(['prose', 'texts'])
  await write({ 'b.ts': '' })
  expect(await ran()).toEqual(['types', 'prose', 'texts'])
  await rm(join(cwd, 'b.ts'))
  expect(await ran()).toEqual(['types', 'prose', 'texts'])
  await write({ 'package-lock.json': '{}' })
  expect(await ran()).toEqual(['types', 'prose', 'texts'])
})
