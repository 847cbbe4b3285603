import type { HistoryPage } from '@latchkey/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { startTestServer } from '../../testing/index.ts'
import { startTestClickHouse, type TestClickHouse } from '../../testing/history/startTestClickHouse.ts'
import { startTransferChain, type TransferChain } from '../../testing/transferChain.ts'
import type { Hex } from '../block.ts'

type TestServer = Awaited<ReturnType<typeof startTestServer>>

const [alice, bob]: readonly [Hex, Hex] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
const patient = { timeout: 60_000 } as const
const projectId = 'ab'.repeat(16)
let chain: TransferChain
let engine: TestClickHouse
/** Servers of the same chain: one with its histories in ClickHouse, one with all data in PostgreSQL. */
let [onClickHouse, onPostgres]: TestServer[] = []

beforeAll(async () => {
  chain = await startTransferChain()
  engine = await startTestClickHouse()
  const configured: Chain = {
    caipNetworkId: 'eip155:31337',
    name: 'Local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [chain.rpcUrl],
    tokens: [],
    index: { from: 0, addresses: 'requested' },
  }
  const options = { services: ['api'] as const, chains: [configured] }
  onClickHouse = await startTestServer({ ...options, historyUrl: await engine.createDatabase() })
  onPostgres = await startTestServer(options)
})
afterAll(async () => {
  await onClickHouse?.close()
  await onPostgres?.close()
  await engine.close()
  await chain.close()
})

async function request(server: TestServer | undefined, path: string, query: Record<string, string> = {}) {
  const all = new URLSearchParams({ projectId, chainId: 'eip155:31337', ...query })
  return fetch(`${server?.url ?? ''}${path}?${all}`)
}

async function getHistory(server: TestServer | undefined, cursor = ''): Promise<HistoryPage> {
  const response = await request(server, `/v1/account/${alice}/history`, cursor === '' ? {} : { cursor })
  // The endpoint responds in this form.
  return (await response.json()) as HistoryPage
}

async function getWholeHistory(server: TestServer | undefined): Promise<HistoryPage['data']> {
  const items: HistoryPage['data'][number][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: HistoryPage = await getHistory(server, cursor)
    items.push(...page.data)
    cursor = page.next
  }
  return items
}

test('both stores respond with the same pages', async () => {
  for (let each = 0; each < 35; each += 1) {
    await chain.pay(alice, BigInt(each + 1))
    await chain.sendToken(alice, BigInt(each + 1))
  }
  await expect.poll(async () => (await getWholeHistory(onClickHouse)).length, patient).toBe(70)
  await expect.poll(async () => (await getWholeHistory(onPostgres)).length, patient).toBe(70)
  const later = await chain.pay(alice, 99n)
  for (const server of [onClickHouse, onPostgres]) {
    await expect.poll(async () => (await getHistory(server)).data[0]?.metadata.hash, patient).toBe(later.hash)
  }
  expect(await getWholeHistory(onClickHouse)).toEqual(await getWholeHistory(onPostgres))
  expect((await getHistory(onClickHouse)).indexedSince).toEqual((await getHistory(onPostgres)).indexedSince)
})

test('a ClickHouse that is down fails histories with status 503, and no other endpoint; indexing continues afterwards', async () => {
  await engine.kill()
  const missed = await chain.pay(alice, 7n)
  // First pages are cached for seconds, so that this is one of an address without a history.
  const failed = await request(onClickHouse, `/v1/account/${bob}/history`)
  expect(failed.status).toBe(503)
  expect(failed.headers.get('retry-after')).toBe('5')
  const sentence = 'The history is not available now. Try again.'
  expect(await failed.json()).toEqual({ status: 'FAILED', reasons: [{ field: '', description: sentence }] })
  expect((await request(onClickHouse, `/v1/account/${bob}/balance`, { currency: 'usd' })).status).toBe(200)
  expect((await request(onClickHouse, '/v1/supported-chains')).status).toBe(200)
  const health = await request(onClickHouse, '/health')
  expect(health.status).toBe(200)
  expect(await health.json()).toMatchObject({ status: 'ok', database: 'reachable', history: 'unreachable' })
  await engine.start()
  await expect.poll(async () => (await getHistory(onClickHouse)).data?.[0]?.metadata.hash, patient).toBe(missed.hash)
  await expect
    .poll(async () => (await (await request(onClickHouse, '/health')).json()) as unknown)
    .toMatchObject({
      history: 'reachable',
    })
})

test('a server with its data in PostgreSQL reports no other store', async () => {
  expect(await (await request(onPostgres, '/health')).json()).not.toHaveProperty('history')
})
