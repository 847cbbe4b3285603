import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findAnvil, startAnvil } from './anvil.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-anvil-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function request(rpcUrl: string, method: string, params: readonly unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response: unknown = await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()
  return typeof response === 'object' && response !== null && 'result' in response ? response.result : undefined
}

test('findAnvil prefers ANVIL_PATH to the installed package', async () => {
  expect(findAnvil({})).toMatch(/anvil$/)
  expect(findAnvil({ ANVIL_PATH: process.execPath })).toBe(process.execPath)
})

test.each([
  ['darwin', 'anvil'],
  ['win32', 'anvil.exe'],
] as const)('findAnvil finds the program of Foundry on the PATH of %s', async (platform, name) => {
  const folder = await makeFolder()
  const PATH = [join(folder, 'missing'), folder].join(delimiter)
  expect(() => findAnvil({ PATH }, platform)).toThrow(
    'Install Foundry, so that anvil is on the PATH, or set ANVIL_PATH.',
  )
  await writeFile(join(folder, name), '', { mode: 0o755 })
  expect(findAnvil({ PATH }, platform)).toBe(join(folder, name))
})

test('an ANVIL_PATH without a program is an error', () => {
  expect(() => findAnvil({ ANVIL_PATH: '/nowhere/anvil' })).toThrow(
    'ANVIL_PATH names "/nowhere/anvil", which is not a program that can be run.',
  )
})

test('a chain is restored from its file', async () => {
  const stateFile = join(await makeFolder(), 'chain.json')
  const first = await startAnvil({ chainId: 31337, port: 0, stateFile })
  onTestFinished(first.close)
  await request(first.rpcUrl, 'anvil_setBalance', [`0x${'11'.repeat(20)}`, '0x7'])
  await first.close()
  const second = await startAnvil({ chainId: 31337, port: 0, stateFile })
  onTestFinished(second.close)
  expect(await request(second.rpcUrl, 'eth_chainId')).toBe('0x7a69')
  expect(await request(second.rpcUrl, 'eth_getBalance', [`0x${'11'.repeat(20)}`, 'latest'])).toBe('0x7')
})

test('a node that exits immediately rejects with its last lines', async () => {
  const stateFile = join(await makeFolder(), 'chain.json')
  await writeFile(stateFile, 'no state')
  const pids: number[] = []
  const starting = startAnvil({ chainId: 31337, port: 0, stateFile, onProcess: (pid) => pids.push(pid) })
  await expect(starting).rejects.toThrow(/^The EVM chain 31337 ended at once \(exit code \d+\)\. \S/)
  expect(pids).toHaveLength(1)
})
