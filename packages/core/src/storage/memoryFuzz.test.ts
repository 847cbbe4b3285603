import fc from 'fast-check'
import { isAccountId, isChainId, namespaces } from '@latchkey/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disconnect } from '../connection/disconnect.ts'
import { start } from '../connection/start.ts'
import {
  getRejection,
  fakeAccount,
  fakeAdapter,
  fakeConnector,
  fakeStorage,
  fakeWorld,
  manualClock,
  flushTasks,
  type FakeStorage,
} from '../testing/fakes.ts'
import { createMemory } from './memory.ts'
import { getCached } from './getCached.ts'
import { getDeepLink } from './deepLink.ts'
import { getRecentWallets } from './recentWallets.ts'

const account = fakeAccount('eip155:1')
const one = { connectorId: 'fake', account, chainId: 'eip155:1', picked: true }

/** The stored values of this version and of possible later ones. */
const whole: Readonly<Record<string, unknown>> = {
  connections: { eip155: { ...one, others: [{ ...one, connectorId: 'other' }] }, version: 9 },
  active_network: 'eip155:1',
  recent_wallets: [{ id: 'a', name: 'A', since: 7 }],
  deep_link: { href: 'wallet://', name: 'W' },
  'cache/native_balance': { at: 0, value: '7' },
}
const keys = Object.keys(whole)

/** Returns a stored value: intact, truncated, with another character, of another type, or random. */
const damaged: fc.Arbitrary<Record<string, string>> = fc
  .tuple(
    ...keys.map((key) => {
      const text = JSON.stringify(whole[key])
      return fc.oneof(
        fc.constant(text),
        fc.nat(text.length).map((at) => text.slice(0, at)),
        fc
          .tuple(fc.nat(text.length), fc.string({ maxLength: 2 }))
          .map(([at, other]) => text.slice(0, at) + other + text.slice(at + 1)),
        fc.json(),
        fc.string(),
        fc.constantFrom(...keys).map((other) => JSON.stringify(whole[other])),
      )
    }),
  )
  .map((values) => Object.fromEntries(values.map((value, index) => [`@latchkey/${keys[index]}`, value])))

const unhandled: unknown[] = []
const recordUnhandled = (reason: unknown): void => void unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', recordUnhandled)
  await import('../connection/lazyActions.ts')
})
afterAll(() => void process.off('unhandledRejection', recordUnhandled))

describe('a corrupted storage', () => {
  test('is parsed to its valid values only, in 10,000 runs [R3.17]', { tags: 'abuse' }, () => {
    fc.assert(
      fc.property(damaged, (values) => {
        const clock = manualClock(0)
        const memory = createMemory(fakeStorage({ values }), () => expect.fail('nothing was written'))
        for (const namespace of namespaces) {
          for (const { connectorId, account: accountId, chainId } of memory.remembered(namespace)) {
            expect([typeof connectorId, isAccountId(accountId), isChainId(chainId)]).toEqual(['string', true, true])
            expect([accountId, chainId].every((id) => id.startsWith(`${namespace}:`))).toBe(true)
          }
        }
        expect(
          getRecentWallets(memory).every(({ id, name }) => typeof id === 'string' && typeof name === 'string'),
        ).toBe(true)
        expect(['undefined', 'string']).toContain(typeof memory.activeNetwork())
        expect(['undefined', 'object']).toContain(typeof getDeepLink(memory))
        expect(['undefined', 'string']).toContain(typeof getCached({ memory, clock }, 'native_balance', 1))
      }),
      { numRuns: 10_000 },
    )
  })

  test('results in a consistent state in both tabs, without unhandled errors', { tags: 'abuse' }, async () => {
    await fc.assert(
      fc.asyncProperty(damaged, damaged, fc.boolean(), async (before, later, denied) => {
        const storage = fakeStorage({ values: before })
        storage.denied = denied
        const stops = [storage, storage.otherTab()].map((tab) => follow(tab))
        // Another tab writes a truncated value.
        for (const [key, value] of Object.entries(later)) storage.otherTab().setItem(key, value)
        await flushTasks()
        await flushTasks()
        for (const stop of stops) await stop()
        expect(unhandled).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  /** Checks a page on a storage: it is connected only if its wallet is, and waits no longer than the timeouts. */
  function follow(storage: FakeStorage): () => Promise<void> {
    const connectors = [
      fakeConnector({ restores: true }),
      fakeConnector({ id: 'other', restores: new Error('broken') }),
    ]
    const { latchkey, clock } = fakeWorld({
      adapters: [fakeAdapter(), fakeAdapter({ namespace: 'solana' })],
      connectors,
      storage,
      multiWallet: true,
    })
    const stop = start(latchkey)
    return async () => {
      clock.advance(12_000)
      await flushTasks()
      clock.advance(12_000)
      await flushTasks()
      for (const state of Object.values(latchkey.wallet.getState().namespaces)) {
        expect(['connected', 'disconnected']).toContain(state.status)
        if (state.status === 'connected') expect(state.connectorId).toBe('fake')
      }
      expect(await getRejection(disconnect(latchkey))).toBeUndefined()
      stop()
    }
  }
})
