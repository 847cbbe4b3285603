import { expect, onTestFinished, test } from 'vitest'
import {
  fakeAdapter,
  fakeNetwork,
  fakeWorld,
  failureOf,
  type FakeWorld,
  type FakeWorldOptions,
} from './testing/fakes.ts'
import { learnServed, supports, type Feature } from './supports.ts'

const all: readonly Feature[] = ['balances', 'nfts', 'history', 'swaps', 'names', 'onramp', 'send', 'receive']
const served = ['balances', 'nfts', 'history', 'swaps', 'names', 'onramp']
const server = 'https://server.invalid'

/** A server that answers which chains it reads; counts how often it was asked. */
function answering(answer: unknown): { asked: number } {
  const count = { asked: 0 }
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async () => {
    count.asked += 1
    return Response.json(answer)
  }
  return count
}

function shown({ latchkey }: FakeWorld, index = 0): readonly Feature[] {
  return all.filter((feature) => supports(latchkey, feature, latchkey.networks[index]))
}

/** Somebody who can move assets, on a mainnet, a testnet, and a chain of his own. */
function world(options: FakeWorldOptions = {}): FakeWorld {
  const networks = [fakeNetwork(), fakeNetwork({ id: 2, testnet: true }), fakeNetwork({ id: 31337 })] as const
  const adapter = { ...fakeAdapter({ networks }), transfers: () => Promise.reject(new Error('Nothing is moved here.')) }
  return fakeWorld({ adapters: [adapter], server, ...options })
}

test('what a family is capable of is shown, and on testnets nothing that is about worth [R9.4.1]', () => {
  expect(shown(world())).toEqual(all)
  expect(shown(world(), 1)).toEqual(['nfts', 'history', 'names', 'send', 'receive'])
  const other = fakeAdapter({ namespace: 'solana', features: ['balances', 'onramp'] })
  expect(shown(fakeWorld({ adapters: [other], server }))).toEqual(['balances', 'onramp', 'receive'])
  const plain = { ...fakeAdapter(), features: undefined }
  expect(shown(fakeWorld({ adapters: [plain], server }))).toEqual(['receive'])
})

test('without a server only what needs none is shown', () => {
  expect(shown(world({ server: undefined }))).toEqual(['send', 'receive'])
})

test('an app turns off what it does not want [R9.3.1]', () => {
  const features = { swaps: false, onramp: false, receive: false, send: false, history: false }
  expect(shown(world({ features }))).toEqual(['balances', 'nfts', 'names'])
})

test('a network counts as supported when the server answers for it, and swaps where it says so', async () => {
  const { asked } = answering({ http: ['eip155:31337', 7], ws: [], swaps: ['eip155:31337'] })
  expect(asked).toBe(0)
  const own = world()
  await learnServed(own.latchkey)
  expect(shown(own)).toEqual(['onramp', 'send', 'receive'])
  expect(shown(own, 2)).toEqual(all)
})

test('a server that says nothing about swaps swaps on the networks that are known for it', async () => {
  answering({ http: ['eip155:1'], ws: [] })
  const own = world()
  await learnServed(own.latchkey)
  expect(shown(own)).toEqual(all)
  expect(shown(own, 2)).toEqual(['onramp', 'send', 'receive'])
})

test('the server is asked once a day, and not about what makes no sense', async () => {
  const count = answering({ http: ['eip155:1'], ws: [] })
  const { latchkey, clock } = world()
  await learnServed(latchkey)
  await learnServed(latchkey)
  expect(count.asked).toBe(1)
  clock.advance(86_400_000)
  await learnServed(latchkey)
  expect(count.asked).toBe(2)
})

test('an answer that makes no sense is told, and changes nothing', async () => {
  answering({ http: 'all of them' })
  const own = world()
  expect(await failureOf(learnServed(own.latchkey))).toMatchObject({ code: 'http/invalid-answer' })
  expect(shown(own).slice(0, served.length)).toEqual(served)
})
