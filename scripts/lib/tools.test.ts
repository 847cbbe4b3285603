import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTool, runAptGet } from './tools.mjs'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-tools-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('finds the first executable name in any folder of the PATH', async () => {
  const [first, second] = [await makeFolder(), await makeFolder()]
  await writeFile(join(first, 'chromium'), 'no program')
  await writeFile(join(second, 'chrome'), '')
  await chmod(join(second, 'chrome'), 0o755)
  const environment = { PATH: `${first}:${second}` }
  expect(findTool('TOOL_PATH', ['chromium', 'chrome'], environment)).toBe(join(second, 'chrome'))
  expect(findTool('TOOL_PATH', ['chromium'], environment)).toBeUndefined()
})

test('uses the program that the variable names, and fails if it is not executable', () => {
  expect(findTool('TOOL_PATH', ['node'], { TOOL_PATH: process.execPath, PATH: '' })).toBe(process.execPath)
  expect(() => findTool('TOOL_PATH', ['node'], { ...process.env, TOOL_PATH: '/nowhere/tool' })).toThrow(
    'TOOL_PATH names "/nowhere/tool", which is not an executable program.',
  )
})

/** Writes a program in place of apt-get, which counts its runs. */
async function makeAptGet(script: string): Promise<{ path: string; countRuns(): Promise<number> }> {
  const folder = await makeFolder()
  const [path, runs] = [join(folder, 'apt-get'), join(folder, 'runs')]
  await writeFile(path, `#!/bin/sh\necho "$@" >> '${runs}'\n${script.replaceAll('RUNS', `'${runs}'`)}\n`)
  await chmod(path, 0o755)
  return { path, countRuns: async () => (await readFile(runs, 'utf8')).split('\n').length - 1 }
}

test('waits while another process holds the lock of apt-get', async () => {
  const message = 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt-get)'
  const { path, countRuns } = await makeAptGet(`[ $(wc -l < RUNS) -ge 3 ] || { echo '${message}' >&2; exit 100; }`)
  expect(runAptGet(path, ['install', 'nginx'], 1)).toBe(true)
  expect(await countRuns()).toBe(3)
})

test('does not repeat apt-get after another failure', async () => {
  const { path, countRuns } = await makeAptGet("echo 'E: Unable to locate package nginx' >&2; exit 100")
  expect(runAptGet(path, ['install', 'nginx'], 1)).toBe(false)
  expect(await countRuns()).toBe(1)
})
