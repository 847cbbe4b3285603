import type { HistoryPage } from '@latchkey/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../../testing/index.ts'
import { startTransferChain, type TransferChain } from '../../testing/transferChain.ts'
import type { Hex } from '../../indexer/block.ts'
import type { Chain } from '../../kit/chain/chains.ts'

type TestServer = Awaited<ReturnType<typeof startTestServer>>

const [alice, bob]: readonly [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
let chain: TransferChain
let servers: readonly [TestServer, TestServer]

/** Two processes on one database. */
beforeAll(async () => {
  chain = await startTransferChain()
  const configured: Chain = {
    caipNetworkId: 'eip155:31337',
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [chain.rpcUrl],
    tokens: [],
    index: { from: 0, addresses: 'requested' },
  }
  const first = await startTestServer({ services: ['api'], chains: [configured] })
  servers = [first, await startTestServer({ services: ['api'], chains: [configured], databaseUrl: first.databaseUrl })]
})
afterAll(async () => {
  const [first, second] = servers
  await second.close()
  await first.close()
  await chain.close()
})

async function getHistory(server: TestServer, address: Hex): Promise<HistoryPage> {
  const query = `projectId=${'ab'.repeat(16)}&chainId=eip155:31337`
  const response = await fetch(`${server.url}/v1/account/${address}/history?${query}`)
  expect(response.status).toBe(200)
  // The endpoint responds in this form.
  return (await response.json()) as HistoryPage
}

const hashesOf = ({ data }: HistoryPage): readonly string[] => data.map(({ metadata }) => metadata.hash)

test('the history of a new address begins before its first request, and continues with new blocks', async () => {
  const before = [await chain.pay(alice, 3n), await chain.sendToken(alice, 4n)]
  const [server] = servers
  await expect
    .poll(async () => hashesOf(await getHistory(server, alice)))
    .toEqual(before.map(({ hash }) => hash).toReversed())
  const later = await chain.pay(alice, 5n)
  await expect.poll(async () => hashesOf(await getHistory(server, alice))[0]).toBe(later.hash)
  const { indexedSince, next } = await getHistory(server, alice)
  expect(indexedSince).toEqual([{ chain: 'eip155:31337', block: 0, minedAt: null }])
  expect(next).toBeNull()
})

test('every process returns the history of an address, even if another one indexes the chain', async () => {
  const sent = await chain.sendToken(bob, 9n)
  await expect.poll(async () => hashesOf(await getHistory(servers[1], bob))).toEqual([sent.hash])
  await expect.poll(async () => hashesOf(await getHistory(servers[0], bob))).toEqual([sent.hash])
})
