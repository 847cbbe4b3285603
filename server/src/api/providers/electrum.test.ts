import { createServer, type AddressInfo } from 'node:net'
import { startBitcoin, type Bitcoin } from '@latchkey/devnet'
import type { HistoryPage } from '@latchkey/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { toBitcoinScript } from '../../kit/bitcoin/bitcoinScripts.ts'
import { parseBitcoinTransaction } from '../../kit/bitcoin/parseBitcoinTransaction.ts'
import type { Chain } from '../../kit/chain/chains.ts'
import { describeHistorySource } from '../../testing/history/describeHistorySource.ts'
import {
  startTestElectrum,
  type ElectrumTransaction,
  type TestElectrum,
  type TestElectrumOptions,
} from '../../testing/history/startTestElectrum.ts'
import { createProviderHistory } from './providerHistory.ts'

const clock = { now: () => Date.parse('2026-11-22T12:00:00Z') }
const [own, other, third] = [
  'bcrt1qquv9lg5g2r4jkr0ahun0ddfg5xntxjelwjpnuw',
  'bcrt1qlqj2pdsteppkcr8jkp9ms0wpvey89tna8v72sj',
  'bcrt1qwqwxn0pae964jk3zu8zxr3lu2jyj0p7mk8hkdv',
] as const
/** The times of the local chain. */
const timeOf = (height: number): number => 1_767_225_600 + 600 * height

const createChain = (provider: { kind: 'electrum' | 'esplora'; url: string }): Chain => ({
  caipNetworkId: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
  name: 'Bitcoin',
  nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
  rpcUrls: ['http://127.0.0.1:1'],
  tokens: [],
  providers: [provider],
})

let bitcoin: Bitcoin
let electrum: TestElectrum
let funded: readonly string[] | undefined

/** An Electrum server on the local chain. */
beforeAll(async () => {
  bitcoin = await startBitcoin()
  electrum = await startTestElectrum({
    timeOf,
    list: () =>
      bitcoin.ledger.transactions().map(({ txid, raw, height, outputs, inputs }) => ({
        txid,
        raw: Buffer.from(raw).toString('hex'),
        height,
        scripts: [...outputs, ...inputs].map(({ script }) => script),
      })),
  })
})
afterAll(async () => {
  await electrum.close()
  await bitcoin.close()
})

const fundAll = (): readonly string[] =>
  Array.from({ length: 60 }, (_, index) => bitcoin.fund(own, BigInt(index + 1) * 1_000n)).toReversed()

describeHistorySource('Electrum', async () => {
  funded ??= fundAll()
  return {
    source: createProviderHistory(clock),
    chain: createChain({ kind: 'electrum', url: electrum.url }),
    address: own,
    hashes: funded,
    stranger: other,
  }
})

test('the history of Electrum is that of Esplora', async () => {
  funded ??= fundAll()
  const source = createProviderHistory(clock)
  const [first, second] = await Promise.all(
    [createChain({ kind: 'electrum', url: electrum.url }), createChain({ kind: 'esplora', url: bitcoin.url })].map(
      (chain) => source.page({ chains: [chain], address: own, cursor: undefined, size: 25 }),
    ),
  )
  expect(first?.data).toEqual(second?.data)
})

type Output = readonly [address: string, amount: bigint]

/** Creates a transaction without signatures, which a history does not need. */
function createTransaction(
  inputs: readonly (readonly [ElectrumTransaction, number])[],
  outputs: readonly Output[],
  height: number | undefined,
): ElectrumTransaction {
  const uint32 = (value: number): Buffer => Buffer.from(new Uint32Array([value]).buffer)
  const ends = inputs.map(([{ txid }, index]) =>
    Buffer.concat([Buffer.from(txid, 'hex').toReversed(), uint32(index), Buffer.of(0), uint32(0xffff_ffff)]),
  )
  const paid = outputs.map(([address, amount]) => {
    const script = toBitcoinScript(address)
    return Buffer.concat([Buffer.from(new BigUint64Array([amount]).buffer), Buffer.of(script.length), script])
  })
  const body = [Buffer.of(inputs.length), ...ends, Buffer.of(outputs.length), ...paid]
  const raw = Buffer.concat([uint32(2), ...body, uint32(height ?? 0)])
  const spent = inputs.flatMap(([{ raw: from }, index]) => {
    const output = parseBitcoinTransaction(Buffer.from(from, 'hex')).outputs[index]
    return output === undefined ? [] : [output.script]
  })
  return {
    txid: parseBitcoinTransaction(raw).txid,
    raw: raw.toString('hex'),
    height,
    scripts: [...outputs.map(([address]) => toBitcoinScript(address)), ...spent],
  }
}

async function requestPage(
  list: readonly ElectrumTransaction[],
  { size = 25, cursor, ...options }: Partial<TestElectrumOptions> & { size?: number; cursor?: string } = {},
): Promise<HistoryPage & { methods: readonly string[] }> {
  const server = await startTestElectrum({ timeOf, list: () => list, ...options })
  onTestFinished(server.close)
  const chain = createChain({ kind: 'electrum', url: server.url })
  const page = await createProviderHistory(clock).page({ chains: [chain], address: own, cursor, size })
  return { ...page, methods: server.methods }
}

const foreign = createTransaction([], [[other, 900_000n], [third, 900_000n]], 1) // oxfmt-ignore
const received = createTransaction([[foreign, 0]], [[own, 110_500n], [other, 500_000n]], 2) // oxfmt-ignore
const sent = createTransaction([[received, 0]], [[third, 101_000n], [own, 9_000n]], 3) // oxfmt-ignore
const joint = createTransaction([[sent, 1], [foreign, 1]], [[other, 8_900n]], 4) // oxfmt-ignore

test('payments have their amounts without change and fee, and their counterparties', async () => {
  const { data } = await requestPage([foreign, received, sent])
  expect(data).toMatchObject([
    {
      metadata: { operationType: 'send', hash: sent.txid, sentFrom: own, sentTo: third },
      transfers: [{ direction: 'out', counterparty: third, quantity: { numeric: '0.00101' } }],
    },
    {
      metadata: { operationType: 'receive', hash: received.txid, sentFrom: other, sentTo: own },
      transfers: [{ direction: 'in', counterparty: other, quantity: { numeric: '0.001105' } }],
    },
  ])
})

test('a transaction with inputs of others has the change of the address, because who paid the fee is unknown', async () => {
  const { data } = await requestPage([foreign, received, sent, joint], { size: 1 })
  expect(data).toMatchObject([{ transfers: [{ direction: 'out', quantity: { numeric: '0.00009' } }] }])
})

test('a history leaves out pending transactions, which have no time', async () => {
  const pending = createTransaction([[received, 0]], [[third, 100_000n]], undefined)
  expect((await requestPage([foreign, received, pending])).data.map(({ metadata }) => metadata.hash)).toEqual([
    received.txid,
  ])
})

test('a list continues at its height if a reorg removed the transaction of its cursor', async () => {
  const { data } = await requestPage([foreign, received, sent], { cursor: `0:3.${'ab'.repeat(32)}` })
  expect(data.map(({ metadata }) => metadata.hash)).toEqual([sent.txid, received.txid])
})

test('a cursor that was not created here is refused', async () => {
  await expect(requestPage([received], { cursor: '0:3' })).rejects.toMatchObject({ status: 503 })
})

const forged = createTransaction([[foreign, 0]], [[own, 99_000_000n]], 2)

test.each<[string, Partial<TestElectrumOptions>]>([
  ['another transaction', { replace: (method, _, raw) => (method.endsWith('.get') ? forged.raw : raw) }],
  ['bytes that are no transaction', { replace: (method, _, raw) => (method.endsWith('.get') ? '00' : raw) }],
  ['a block without a time', { replace: (method, _, raw) => (method.endsWith('.header') ? '00' : raw) }],
  ['no history', { replace: (method, _, raw) => (method.endsWith('_history') ? 'none' : raw) }],
  ['another protocol', { replace: (method, _, raw) => (method === 'server.version' ? 'none' : raw) }],
])('a server that responds with %s is not available', async (_what, options) => {
  await expect(requestPage([foreign, received], options)).rejects.toMatchObject({ status: 503 })
})

test.each([
  ['a line that is not JSON', 'none\n'],
  ['more bytes than are accepted', 'x'.repeat(33 * 1024 * 1024)],
])('a server that sends %s is not available', async (_what, text) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => void socket.write(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  // A server that listens on a port has an address of this form.
  const url = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = createProviderHistory(clock).page({
    chains: [createChain({ kind: 'electrum', url })],
    address: own,
    cursor: undefined,
    size: 25,
  })
  await expect(page).rejects.toMatchObject({ status: 503 })
})

test('a server that does not use TLS gets no request', async () => {
  const url = electrum.url.replace('tcp:', 'ssl:')
  const before = electrum.methods.length
  const chain = createChain({ kind: 'electrum', url })
  const page = createProviderHistory(clock).page({ chains: [chain], address: own, cursor: undefined, size: 25 })
  await expect(page).rejects.toMatchObject({ status: 503 })
  expect(electrum.methods.length).toBe(before)
})
