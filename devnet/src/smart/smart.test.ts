import { afterAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../anvil.ts'
import { deploySmartAccounts } from './deploySmartAccounts.ts'

const nodes: Anvil[] = []
afterAll(async () => void (await Promise.all(nodes.map((node) => node.close()))))

test('puts the entry points where they are on every chain, once', async () => {
  const node = await startAnvil({ chainId: 31337, port: 0 })
  nodes.push(node)
  const placed = await deploySmartAccounts(node.rpcUrl)
  expect(placed.entryPoints).toEqual([
    '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  ])
  const height = await blockOf(node)
  expect(await deploySmartAccounts(node.rpcUrl)).toEqual(placed)
  expect(await blockOf(node)).toBe(height)
})

async function blockOf({ rpcUrl }: Anvil): Promise<unknown> {
  const body = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'eth_blockNumber', params: [] })
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return Reflect.get(Object(await answer.json()), 'result')
}
