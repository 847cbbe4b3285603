import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startBitcoin, type Bitcoin } from '@latchkey/devnet'
import type { HistoryPage } from '@latchkey/protocol'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { describeHistorySource } from '../../testing/history/describeHistorySource.ts'
import { createProviderHistory } from './providerHistory.ts'

const clock = { now: () => Date.parse('2026-11-22T12:00:00Z') }
const [own, other, third] = [
  'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw',
  'bcrt1qlqj2pdsteppkcr8jkp9ms0wpvey89tna8v72sj',
  'bcrt1qwqwxn0pae964jk3zu8zxr3lu2jyj0p7mk8hkdv',
] as const

let bitcoin: Bitcoin
const servers: Server[] = []

beforeAll(async () => void (bitcoin = await startBitcoin()))
afterAll(() => bitcoin.close())
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

const createChain = (url: string): Chain => ({
  caipNetworkId: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
  name: 'Bitcoin',
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [],
  providers: [{ kind: 'esplora', url }],
})

let funded: readonly string[] | undefined

describeHistorySource('Esplora', async () => {
  funded ??= Array.from({ length: 60 }, (_, index) => bitcoin.fund(own, BigInt(index + 1) * 1_000n)).toReversed()
  return {
    source: createProviderHistory(clock),
    chain: createChain(bitcoin.url),
    address: own,
    hashes: funded,
    stranger: other,
  }
})

const txid = 'ab'.repeat(32)
const output = (address: string | undefined, value: number): object => ({ scriptpubkey_address: address, value })
const spend = (address: string, value: number): object => ({ txid, vout: 0, prevout: output(address, value) })
const mined = { confirmed: true, block_height: 5, block_time: 1_767_225_600 }

/** A service with one transaction in the form that Esplora documents. */
async function getPage(transaction: object, about: object = { chain_stats: { tx_count: 1 } }): Promise<HistoryPage> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('connection', 'close').end(JSON.stringify(url.endsWith('/txs') ? [transaction] : about))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createProviderHistory(clock).page({ chains: [createChain(url)], address: own, cursor: undefined, size: 50 })
}

test('a payment has its amount without change and fee, and its receiver', async () => {
  const { data } = await getPage({
    txid,
    fee: 500,
    status: mined,
    vin: [spend(own, 70_000), spend(own, 40_500)],
    vout: [output(other, 101_000), output(own, 9_000)],
  })
  expect(data).toMatchObject([
    {
      metadata: { operationType: 'send', hash: txid, sentFrom: own, sentTo: other, status: 'confirmed' },
      transfers: [{ direction: 'out', counterparty: other, quantity: { numeric: '0.00101' } }],
    },
  ])
})

test.each([
  ['money from one address', [spend(other, 9_000)], { counterparty: other }],
  ['money from several addresses', [spend(other, 4_000), spend(third, 5_000)], {}],
  ['newly mined money', [{ is_coinbase: true, prevout: null }], {}],
])('a history shows %s as received', async (_what, vin, expected) => {
  const [item] = (await getPage({ txid, fee: 0, status: mined, vin, vout: [output(own, 9_000)] })).data
  expect(item).toMatchObject({ metadata: { operationType: 'receive', sentTo: own } })
  expect(item?.transfers).toEqual([
    expect.objectContaining({ direction: 'in', quantity: { numeric: '0.00009' }, ...expected }),
  ])
  expect('counterparty' in (item?.transfers[0] ?? {})).toBe('counterparty' in expected)
})

test('a payment to the own address moves nothing', async () => {
  const { data } = await getPage({
    txid,
    fee: 500,
    status: mined,
    vin: [spend(own, 9_500)],
    vout: [output(own, 9_000)],
  })
  expect(data).toMatchObject([{ metadata: { operationType: 'execute', sentFrom: own }, transfers: [] }])
})

test('a transaction with inputs of others has the change of the address, because who paid the fee is unknown', async () => {
  const vin = [spend(own, 10_000), spend(other, 10_000)]
  const vout = [output(own, 9_900), output(other, 9_900)]
  const { data } = await getPage({ txid, fee: 200, status: mined, vin, vout })
  expect(data).toMatchObject([{ transfers: [{ direction: 'out', quantity: { numeric: '0.000001' } }] }])
})

test.each([
  ['pending transactions, which have no time', { status: { confirmed: false } }],
  ['transactions of other addresses', { vout: [output(other, 5)] }],
  ['transactions with an invalid id', { txid: '../../etc' }],
  ['times beyond all dates', { status: { ...mined, block_time: Number.MAX_SAFE_INTEGER } }],
])('a history leaves out %s', async (_what, changes) => {
  const received = { txid, fee: 0, status: mined, vin: [spend(other, 5)], vout: [output(own, 5)], ...changes }
  expect(await getPage(received)).toMatchObject({ data: [] })
})

test('a service that always reports more transactions ends the list with an empty page', async () => {
  const page = await getPage({ txid: 'no id' }, { chain_stats: { tx_count: 1_000_000 } })
  expect(page).toEqual({ data: [], next: null })
})

test('a service that responds with an error in place of the counts is not available', async () => {
  await expect(getPage([], { error: 'Address on invalid network' })).rejects.toMatchObject({ status: 503 })
})

test('addresses that a service refuses do not stop the requests for others', async () => {
  let requests = 0
  const server = createServer(({ url = '' }, response) => {
    requests += 1
    response.setHeader('connection', 'close')
    if (url.includes(own)) response.end(JSON.stringify(url.endsWith('/txs') ? [] : { chain_stats: { tx_count: 0 } }))
    else response.writeHead(400).end('Address on invalid network')
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const chain = createChain(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const source = createProviderHistory(clock)
  const getOf = (address: string) => source.page({ chains: [chain], address, cursor: undefined, size: 50 })
  for (let each = 0; each < 30; each += 1) await expect(getOf(other)).rejects.toMatchObject({ status: 503 })
  expect(await getOf(own)).toEqual({ data: [], next: null })
  expect(requests).toBeGreaterThan(60)
})
