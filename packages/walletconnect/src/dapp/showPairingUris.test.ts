import { manualClock, flushTasks } from '@latchkey/core/testing'
import { type LatchkeyError, connectionError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { showPairingUris, type PairingUriOptions } from './showPairingUris.ts'
import { pairingLifetime, pairingMargin } from '../session/pairing.ts'
import { withResolvers, type Resolvable } from '../primitives/withResolvers.ts'

/** Offers that a test settles. */
function startPairing(parts: Partial<PairingUriOptions> = {}) {
  const clock = manualClock()
  const links: Array<Resolvable<string> & { isDropped: boolean }> = []
  const uris: string[] = []
  const outcome = showPairingUris(
    { relay: { ready: async () => {} }, clock },
    { signal: new AbortController().signal, onUri: (uri) => uris.push(uri), ...parts },
    async () => {
      const link = { ...withResolvers<string>(), isDropped: false }
      links.push(link)
      return { uri: `wc:${links.length}`, settled: link.promise, cancel: () => void (link.isDropped = true) }
    },
  )
  return { clock, links, uris, outcome }
}

const createRejection = (): LatchkeyError => connectionError('connection/rejected', { wallet: 'Phone' })

describe('showPairingUris', () => {
  test('shows one new URI after the user declines, and keeps waiting', async () => {
    const reported: unknown[] = []
    const { clock, links, uris, outcome } = startPairing({ onRejected: (error) => reported.push(error.code) })
    await expect.poll(() => uris).toEqual(['wc:1'])
    links[0]?.reject(createRejection())
    await expect.poll(() => uris).toEqual(['wc:1', 'wc:2'])
    expect(reported).toEqual(['connection/rejected'])
    expect(links.map(({ isDropped }) => isDropped)).toEqual([true, false])
    // The first URI is not replaced again, only the second.
    expect(clock.waiting()).toBe(1)
    links[1]?.resolve('session')
    expect(await outcome).toBe('session')
    expect(clock.waiting()).toBe(0)
  })

  test('always has a valid URI for an hour', { tags: 'faults' }, async () => {
    const shownAt: number[] = []
    const { clock, links, outcome } = startPairing({ onUri: () => void shownAt.push(clock.now()) })
    const began = clock.now()
    for (let second = 0; second < 3600; second += 5) {
      await flushTasks()
      const age = (clock.now() - (shownAt.at(-1) ?? 0)) / 1000
      expect(age).toBeLessThan(pairingLifetime - pairingMargin)
      clock.advance(5000)
    }
    expect(shownAt[0]).toBe(began)
    links.at(-1)?.resolve('session')
    expect(await outcome).toBe('session')
    expect(clock.waiting()).toBe(0)
  })

  test('rejects when the user declines if the caller wants no new URI', async () => {
    const { links, uris, outcome } = startPairing()
    await expect.poll(() => uris).toEqual(['wc:1'])
    links[0]?.reject(createRejection())
    await expect(outcome).rejects.toMatchObject({ code: 'connection/rejected' })
    expect(links[0]?.isDropped).toBe(true)
  })

  test('shows no new URI for a declined one that was already replaced', async () => {
    const reported: unknown[] = []
    const { clock, links, uris, outcome } = startPairing({ onRejected: (error) => reported.push(error.code) })
    await expect.poll(() => uris).toEqual(['wc:1'])
    clock.advance(225_000)
    await expect.poll(() => uris).toEqual(['wc:1', 'wc:2'])
    links[0]?.reject(createRejection())
    await expect.poll(() => reported).toHaveLength(1)
    links[1]?.resolve('session')
    expect(await outcome).toBe('session')
    expect(uris).toHaveLength(2)
  })
})
