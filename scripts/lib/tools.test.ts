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

test('takes the first name that can be run, wherever on the PATH it is', async () => {
  const [first, second] = [await makeFolder(), await makeFolder()]
  await writeFile(join(first, 'chromium'), 'no program')
  await writeFile(join(second, 'chrome'), '')
  await chmod(join(second, 'chrome'), 0o755)
  const environment = { PATH: `${first}:${second}` }
  expect(findTool('TOOL_PATH', ['chromium', 'chrome'], environment)).toBe(join(second, 'chrome'))
  expect(findTool('TOOL_PATH', ['chromium'], environment)).toBeUndefined()
})

test('takes the program that the variable names, and no other when that is wrong', () => {
  expect(findTool('TOOL_PATH', ['node'], { TOOL_PATH: process.execPath, PATH: '' })).toBe(process.execPath)
  expect(() => findTool('TOOL_PATH', ['node'], { ...process.env, TOOL_PATH: '/nowhere/tool' })).toThrow(
    'TOOL_PATH names "/nowhere/tool", which is no program that can be run.',
  )
})
