import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findTool } from './tools.mjs'

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
