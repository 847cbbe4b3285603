import { manualClock, settled } from '@latchkey/core/testing'
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { showLinks, type LinkParts } from './links.ts'
import { pairingLifetime, pairingMargin } from './pairing.ts'
import { withResolvers, type Resolvable } from './promise.ts'

/** Links that a test settles by hand. */
function shown(parts: Partial<LinkParts> = {}) {
  const clock = manualClock()
  const links: Array<Resolvable<string> & { isDropped: boolean }> = []
  const uris: string[] = []
  const outcome = showLinks(
    { relay: { ready: async () => {} }, clock },
    { signal: new AbortController().signal, onUri: (uri) => uris.push(uri), ...parts },
    async () => {
      const link = { ...withResolvers<string>(), isDropped: false }
      links.push(link)
      return { uri: `wc:${links.length}`, settled: link.promise, drop: () => void (link.isDropped = true) }
    },
  )
  return { clock, links, uris, outcome }
}

const declined = (): LatchkeyError => new LatchkeyError('connection/rejected', { wallet: 'Phone' })

describe('links that are shown', () => {
  test('are renewed when a person declined, once, and waiting goes on', async () => {
    const told: unknown[] = []
    const { clock, links, uris, outcome } = shown({ onRejected: (error) => told.push(error.code) })
    await expect.poll(() => uris).toEqual(['wc:1'])
    links[0]?.reject(declined())
    await expect.poll(() => uris).toEqual(['wc:1', 'wc:2'])
    expect(told).toEqual(['connection/rejected'])
    expect(links.map(({ isDropped }) => isDropped)).toEqual([true, false])
    // The renewal of the first link is not due any more: only that of the second is.
    expect(clock.waiting()).toBe(1)
    links[1]?.resolve('session')
    expect(await outcome).toBe('session')
    expect(clock.waiting()).toBe(0)
  })

  test('can be used at every moment of an hour in which nobody uses them', async () => {
    const shownAt: number[] = []
    const { clock, links, outcome } = shown({ onUri: () => void shownAt.push(clock.now()) })
    const began = clock.now()
    for (let second = 0; second < 3600; second += 5) {
      await settled()
      const age = (clock.now() - (shownAt.at(-1) ?? 0)) / 1000
      expect(age).toBeLessThan(pairingLifetime - pairingMargin)
      clock.advance(5000)
    }
    expect(shownAt[0]).toBe(began)
    links.at(-1)?.resolve('session')
    expect(await outcome).toBe('session')
    expect(clock.waiting()).toBe(0)
  })

  test('end with a person’s decline where nobody wants others', async () => {
    const { links, uris, outcome } = shown()
    await expect.poll(() => uris).toEqual(['wc:1'])
    links[0]?.reject(declined())
    await expect(outcome).rejects.toMatchObject({ code: 'connection/rejected' })
    expect(links[0]?.isDropped).toBe(true)
  })

  test('are not renewed for one that was declined after its successor had been shown', async () => {
    const told: unknown[] = []
    const { clock, links, uris, outcome } = shown({ onRejected: (error) => told.push(error.code) })
    await expect.poll(() => uris).toEqual(['wc:1'])
    clock.advance(225_000)
    await expect.poll(() => uris).toEqual(['wc:1', 'wc:2'])
    links[0]?.reject(declined())
    await expect.poll(() => told).toHaveLength(1)
    links[1]?.resolve('session')
    expect(await outcome).toBe('session')
    expect(uris).toHaveLength(2)
  })
})
