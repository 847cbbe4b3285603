import { expect, onTestFinished, test } from 'vitest'
import {
  fakeAdapter,
  fakeNetwork,
  fakeWorld,
  getRejection,
  type FakeWorld,
  type FakeWorldOptions,
} from '../testing/fakes.ts'
import { loadSupportedChains, supports } from './supports.ts'
import type { Feature } from '../contracts/adapter.ts'

const all: readonly Feature[] = ['balances', 'nfts', 'history', 'swaps', 'names', 'onramp', 'send', 'receive']
const served = ['balances', 'nfts', 'history', 'swaps', 'names', 'onramp']
const server = 'https://server.invalid'

/** A server that reports its supported chains, and counts the requests. */
function fakeResponse(response: unknown): { requestCount: number } {
  const count = { requestCount: 0 }
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async () => {
    count.requestCount += 1
    return Response.json(response)
  }
  return count
}

function listSupported({ latchkey }: FakeWorld, index = 0): readonly Feature[] {
  return all.filter((feature) => supports(latchkey, feature, latchkey.networks[index]))
}

/** A user who can transfer assets on a mainnet, a testnet and a local chain. */
function createWorld(options: FakeWorldOptions = {}): FakeWorld {
  const networks = [fakeNetwork(), fakeNetwork({ id: 2, testnet: true }), fakeNetwork({ id: 31337 })] as const
  const adapter = { ...fakeAdapter({ networks }), transfers: () => Promise.reject(new Error('Nothing is moved here.')) }
  return fakeWorld({ adapters: [adapter], server, ...options })
}

test("supports returns the adapter's features, without market features on testnets [R9.4.1]", () => {
  expect(listSupported(createWorld())).toEqual(all)
  expect(listSupported(createWorld(), 1)).toEqual(['nfts', 'history', 'names', 'send', 'receive'])
  const other = fakeAdapter({ namespace: 'solana', features: ['balances', 'onramp'] })
  expect(listSupported(fakeWorld({ adapters: [other], server }))).toEqual(['balances', 'onramp', 'receive'])
  const plain = { ...fakeAdapter(), features: undefined }
  expect(listSupported(fakeWorld({ adapters: [plain], server }))).toEqual(['receive'])
})

test('supports excludes server features without a server', () => {
  expect(listSupported(createWorld({ server: undefined }))).toEqual(['send', 'receive'])
})

test('supports excludes features that the app disables [R9.3.1]', () => {
  const features = { swaps: false, onramp: false, receive: false, send: false, history: false }
  expect(listSupported(createWorld({ features }))).toEqual(['balances', 'nfts', 'names'])
})

test("supports follows the server's list of chains and swap chains", async () => {
  const { requestCount } = fakeResponse({ http: ['eip155:31337', 7], ws: [], swaps: ['eip155:31337'] })
  expect(requestCount).toBe(0)
  const own = createWorld()
  await loadSupportedChains(own.latchkey)
  expect(listSupported(own)).toEqual(['onramp', 'send', 'receive'])
  expect(listSupported(own, 2)).toEqual(all)
})

test('a history is supported where the server has one, even if the adapter names none', async () => {
  fakeResponse({ http: ['solana:1'], ws: [], history: ['solana:1', 7] })
  const own = fakeWorld({ adapters: [fakeAdapter({ namespace: 'solana', features: [] })], server })
  expect(supports(own.latchkey, 'history')).toBe(false)
  await loadSupportedChains(own.latchkey)
  const { caipNetworkId } = own.latchkey.networks[0] ?? {}
  expect(caipNetworkId).toBe('solana:1')
  expect(listSupported(own)).toEqual(['history', 'receive'])
})

test('supports falls back to the known swap networks', async () => {
  fakeResponse({ http: ['eip155:1'], ws: [] })
  const own = createWorld()
  await loadSupportedChains(own.latchkey)
  expect(listSupported(own)).toEqual(all)
  expect(listSupported(own, 2)).toEqual(['onramp', 'send', 'receive'])
})

test('one request a day goes to the server, and none for impossible features', async () => {
  const count = fakeResponse({ http: ['eip155:1'], ws: [] })
  const { latchkey, clock } = createWorld()
  await loadSupportedChains(latchkey)
  await loadSupportedChains(latchkey)
  expect(count.requestCount).toBe(1)
  clock.advance(86_400_000)
  await loadSupportedChains(latchkey)
  expect(count.requestCount).toBe(2)
})

test('an invalid response is reported, and changes nothing', async () => {
  fakeResponse({ http: 'all of them' })
  const own = createWorld()
  expect(await getRejection(loadSupportedChains(own.latchkey))).toMatchObject({ code: 'http/invalid-response' })
  expect(listSupported(own).slice(0, served.length)).toEqual(served)
})
