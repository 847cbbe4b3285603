import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createMarkedRunner } from './runMarked.mjs'

const createNodeCommand = (code: string): [string, string[], { cwd: string }] => [
  process.execPath,
  ['-e', code],
  { cwd: tmpdir() },
]

test('run returns the exit code of the program and the end of its errors', async () => {
  let written = ''
  const runner = createMarkedRunner({ write: (text) => (written += text) })
  const code = `process.stderr.write('x'.repeat(5_000) + 'closed'); process.exitCode = 3`
  const { code: exitCode, lastErrors } = await runner.run(...createNodeCommand(code))
  expect(exitCode).toBe(3)
  expect(written).toBe(`${'x'.repeat(5_000)}closed`)
  expect(lastErrors).toBe(`${'x'.repeat(3_994)}closed`)
  expect(await runner.leftovers()).toEqual([])
})

test('run does not wait for a detached process that keeps stderr open', async () => {
  const runner = createMarkedRunner()
  const detach = `
    const options = { detached: true, stdio: 'inherit' }
    require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], options).unref()`
  expect(await runner.run(...createNodeCommand(detach))).toEqual({ code: 0, lastErrors: '' })
  runner.kill(await runner.leftovers())
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
