import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createMarkedRunner } from './runMarked.mjs'

const createNodeCommand = (code: string): [string, string[], { cwd: string }] => [
  process.execPath,
  ['-e', code],
  { cwd: tmpdir() },
]

test('run returns the exit code of the program', async () => {
  const runner = createMarkedRunner()
  expect(await runner.run(...createNodeCommand('process.exitCode = 3'))).toBe(3)
  expect(await runner.leftovers()).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'finds and kills only the marked processes, detached ones included',
  async () => {
    const runner = createMarkedRunner()
    const other = createMarkedRunner()
    const detach = `
    const options = { detached: true, stdio: 'ignore' }
    require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], options).unref()`
    await runner.run(...createNodeCommand(detach))
    const leftovers = await runner.leftovers()
    expect(leftovers).toEqual([{ pid: expect.any(Number), command: expect.stringContaining('60_000') }])
    expect(await other.leftovers()).toEqual([])
    runner.kill(leftovers)
    await expect.poll(() => runner.leftovers()).toEqual([])
  },
)
