import type { HistoryItem, HistoryPage } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { HistorySource } from '../../api/history/historySource.ts'
import type { Chain } from '../../kit/chain/chains.ts'

/** A source whose transactions are known. */
export type KnownHistory = {
  source: HistorySource
  chain: Chain
  address: string
  /** The hashes of the transactions of the address, newest first: more than a page. */
  hashes: readonly string[]
  /** An address without transactions. */
  stranger: string
}

const size = 10
const maxPages = 100

/** The contract of every source of histories. */
export function describeHistorySource(name: string, open: () => Promise<KnownHistory>): void {
  async function listPages({ source, chain }: KnownHistory, address: string): Promise<readonly HistoryPage[]> {
    const pages: HistoryPage[] = []
    for (let cursor: string | undefined; pages.length < maxPages;) {
      const page = await source.page({ chains: [chain], address, cursor, size })
      pages.push(page)
      if (page.next === null) return pages
      cursor = page.next
    }
    throw new Error('The list of pages has no end.')
  }

  const timeOf = ({ metadata }: HistoryItem): number => Date.parse(metadata.minedAt)

  describe(`the history of ${name}`, () => {
    test('lists each transaction once on its pages, newest first', async () => {
      const known = await open()
      const pages = await listPages(known, known.address)
      const items = pages.flatMap(({ data }) => data)
      expect(pages.length).toBeGreaterThan(1)
      expect(items.map(({ metadata }) => metadata.hash)).toEqual(known.hashes)
      expect(items.map(timeOf)).toEqual(items.map(timeOf).toSorted((a, b) => b - a))
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    })

    test('names the chain, and amounts as decimal text', async () => {
      const known = await open()
      const [item] = (await listPages(known, known.address)).flatMap(({ data }) => data)
      const { caipNetworkId, nativeCurrency } = known.chain
      expect(item?.id).toBe(`${caipNetworkId}:${known.hashes[0]}`)
      expect(item?.metadata.chain).toBe(caipNetworkId)
      expect(item?.transfers[0]).toMatchObject({
        fungible_info: { symbol: nativeCurrency.symbol },
        quantity: { numeric: expect.stringMatching(/^\d+(\.\d+)?$/) },
        value: null,
      })
    })

    test('is empty for an address without transactions', async () => {
      const known = await open()
      expect(await listPages(known, known.stranger)).toEqual([{ data: [], next: null }])
    })

    test('covers its chain, and no chain without a source', async () => {
      const { source, chain } = await open()
      expect(source.covers(chain)).toBe(true)
      expect(source.covers({ ...chain, caipNetworkId: 'cosmos:cosmoshub-4', providers: [] })).toBe(false)
    })
  })
}
