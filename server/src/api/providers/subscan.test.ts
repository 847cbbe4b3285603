import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HistoryPage } from '@latchkey/protocol'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../kit/chain/chains.ts'
import { describeHistorySource } from '../../testing/history/describeHistorySource.ts'
import { createProviderHistory } from './providerHistory.ts'

const clock = { now: () => Date.parse('2026-11-22T12:00:00Z') }
/** The same account in the format of Polkadot and in the generic format. */
const [own, generic] = [
  '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
] as const
const other = '14E5nqKAp3oAJcmzgZhUD2RcptBeUBScxKHgJKU4HPNcKVf3'
const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`

const createChain = (url: string): Chain => ({
  caipNetworkId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
  name: 'Polkadot',
  nativeCurrency: { name: 'Polkadot', symbol: 'DOT', decimals: 10 },
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [],
  providers: [{ kind: 'subscan', url, key: 'secret' }],
})

type Row = Readonly<Record<string, unknown>> & { block_num: number }
type Lists = { extrinsics: readonly Row[] | null; transfers: readonly Row[] | null }
type Body = { address: string; row: number; page: number; block_range?: string }

const servers: Server[] = []

/** A service that responds from lists as the API does: newest first, within the range, in pages. */
async function startSubscan(listsOf: (address: string) => Lists, requests: unknown[] = []): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Body
    requests.push({ method: request.method, url: request.url, key: request.headers['x-api-key'], body })
    const name = request.url === '/api/v2/scan/extrinsics' ? 'extrinsics' : 'transfers'
    const last = Number(body.block_range?.split('-')[1] ?? Number.MAX_SAFE_INTEGER)
    const rows = listsOf(body.address)[name]?.filter(({ block_num: block }) => block <= last) ?? null
    const data = {
      count: rows?.length ?? 0,
      [name]: rows?.slice(body.page * body.row, (body.page + 1) * body.row) ?? null,
    }
    response.setHeader('connection', 'close').end(JSON.stringify({ code: 0, message: 'Success', data }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const extrinsic = (number: number, changes: object = {}): Row => ({
  block_num: number,
  block_timestamp: 1_700_000_000 + 6 * number,
  extrinsic_hash: hashOf(number),
  account_display: { address: own },
  call_module: 'balances',
  call_module_function: 'transfer_keep_alive',
  success: true,
  nonce: number,
  ...changes,
})
const transfer = (number: number, changes: object = {}): Row => ({
  block_num: number,
  block_timestamp: 1_700_000_000 + 6 * number,
  hash: hashOf(number),
  from: own,
  to: other,
  success: true,
  amount: '1.5',
  amount_v2: '15000000000',
  asset_symbol: 'DOT',
  asset_type: 'native',
  event_idx: 3,
  ...changes,
})

const numbers = Array.from({ length: 250 }, (_, index) => 1_000 - index)
let url: string

beforeAll(async () => {
  url = await startSubscan((address) =>
    address === other
      ? { extrinsics: null, transfers: null }
      : {
          // The account signed every second transaction, and received the others.
          extrinsics: numbers.filter((number) => number % 2 === 0).map((number) => extrinsic(number)),
          transfers: numbers.map((number) => transfer(number, number % 2 === 0 ? {} : { from: other, to: own })),
        },
  )
})
afterAll(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})
afterEach(async () => {
  await Promise.all(servers.splice(1).map((server) => new Promise((resolve) => server.close(resolve))))
})

describeHistorySource('Subscan', async () => ({
  source: createProviderHistory(clock),
  chain: createChain(url),
  address: generic,
  hashes: numbers.map(hashOf),
  stranger: other,
}))

async function getPage(lists: Lists, requests?: unknown[]): Promise<HistoryPage> {
  const chain = createChain(await startSubscan(() => lists, requests))
  return createProviderHistory(clock).page({ chains: [chain], address: own, cursor: undefined, size: 50 })
}

test('a page asks for both lists, with the key in a header', async () => {
  const requests: unknown[] = []
  await getPage({ extrinsics: null, transfers: null }, requests)
  expect(requests).toHaveLength(2)
  expect(requests).toContainEqual({
    method: 'POST',
    url: '/api/v2/scan/transfers',
    key: 'secret',
    body: { address: own, row: 100, page: 0 },
  })
})

test('a payment is one transaction with its transfer and its signer', async () => {
  const { data } = await getPage({ extrinsics: [extrinsic(7)], transfers: [transfer(7)] })
  expect(data).toMatchObject([
    {
      metadata: { operationType: 'send', hash: hashOf(7), sentFrom: own, sentTo: other, nonce: 7, status: 'confirmed' },
      transfers: [{ direction: 'out', counterparty: other, quantity: { numeric: '1.5' } }],
    },
  ])
})

test('the own address has the requested format, so that clients recognise it', async () => {
  const chain = createChain(await startSubscan(() => ({ extrinsics: [extrinsic(7)], transfers: [transfer(7)] })))
  const request = { chains: [chain], address: generic, cursor: undefined, size: 50 }
  const { data } = await createProviderHistory(clock).page(request)
  expect(data).toMatchObject([{ metadata: { sentFrom: generic, sentTo: other }, transfers: [{ counterparty: other }] }])
})

test('a failed payment moves nothing', async () => {
  const failed = { success: false }
  const { data } = await getPage({ extrinsics: [extrinsic(7, failed)], transfers: [transfer(7, failed)] })
  expect(data).toMatchObject([{ metadata: { status: 'failed' }, transfers: [] }])
})

test.each([
  ['staking', 'bond_extra', 'stake'],
  ['NominationPools', 'claim_payout', 'claim'],
  ['convictionvoting', 'vote', 'execute'],
])('the call %s.%s is shown as %s', async (module, name, expected) => {
  const called = extrinsic(7, { call_module: module, call_module_function: name })
  const { data } = await getPage({ extrinsics: [called], transfers: null })
  expect(data).toMatchObject([{ metadata: { operationType: expected }, transfers: [] }])
})

test('a transfer without an extrinsic, such as one from another chain, is shown by its event', async () => {
  const { data } = await getPage({ extrinsics: null, transfers: [transfer(9, { from: other, to: own, hash: '' })] })
  expect(data).toMatchObject([{ metadata: { hash: '9-3', operationType: 'receive', sentFrom: other } }])
})

test('an asset with the symbol of the native currency is spam, and is not priced as the native currency', async () => {
  const asset = { from: other, to: own, asset_type: 'assets', asset_unique_id: 'standard_assets/1337', amount: '9.25' }
  const { data } = await getPage({ extrinsics: null, transfers: [transfer(9, asset)] })
  expect(data[0]?.transfers[0]).toMatchObject({
    fungible_info: {
      symbol: 'DOT',
      flags: { is_spam: true },
      address: 'polkadot:91b171bb158e2d3848fa23a9f1c25182:standard-assets-1337',
    },
    quantity: { numeric: '9.25' },
  })
})

test.each([
  ['transfers of other accounts', { from: other, to: other }],
  ['times beyond all dates', { block_timestamp: Number.MAX_SAFE_INTEGER }],
  ['transfers without a block', { block_num: 'soon' }],
  ['transfers without an amount', { amount_v2: '-5' }],
])('a history leaves out %s', async (_what, changes) => {
  expect(await getPage({ extrinsics: null, transfers: [transfer(9, changes)] })).toEqual({ data: [], next: null })
})

test('a service that reports an error is not available', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'close').end(JSON.stringify({ code: 10_001, message: 'Record Not Found' }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const chain = createChain(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const page = createProviderHistory(clock).page({ chains: [chain], address: own, cursor: undefined, size: 50 })
  await expect(page).rejects.toMatchObject({ status: 503 })
})
