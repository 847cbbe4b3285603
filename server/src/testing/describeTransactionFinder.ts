import { describe, expect, test } from 'vitest'
import type { Hex } from '../indexer/block.ts'
import type { TransactionFinder } from '../indexer/requested/transactionFinder.ts'
import type { BlockRange, TransactionReference } from '../indexer/requested/createLogRequests.ts'

/** A source whose transactions are known. */
export type KnownSource = {
  finder: TransactionFinder
  address: Hex
  /** The transactions of the address that the source must know, in any order. */
  transactions: readonly TransactionReference[]
  /** A range with all of them. */
  range: BlockRange
}

const stranger: Hex = `0x${'99'.repeat(20)}`

/** The contract of every source of transactions. */
export function describeTransactionFinder(name: string, open: () => Promise<KnownSource>): void {
  /** Reads a range from its end to its beginning, as the index does. */
  async function readAll(
    finder: TransactionFinder,
    address: Hex,
    { from, to }: BlockRange,
  ): Promise<readonly string[]> {
    const references: TransactionReference[] = []
    for (let end = to; end >= from;) {
      const found = await finder.find(address, { from, to: end })
      expect(found.from).toBeGreaterThanOrEqual(from)
      expect(found.from).toBeLessThanOrEqual(end)
      expect(found.references.every(({ block }) => block >= found.from && block <= end)).toBe(true)
      references.push(...found.references)
      end = found.from - 1
    }
    return references.map(({ block, hash }) => `${block}/${hash}`)
  }
  const toKeys = (references: readonly TransactionReference[]): readonly string[] =>
    references.map(({ block, hash }) => `${block}/${hash}`).toSorted()

  describe(`source of transactions: ${name}`, () => {
    test('finds every transaction of a range once', async () => {
      const { finder, address, transactions, range } = await open()
      const found = await readAll(finder, address, range)
      expect(found.toSorted()).toEqual(toKeys(transactions))
    })

    test('leaves out transactions outside of the range', async () => {
      const { finder, address, transactions, range } = await open()
      const blocks = transactions.map(({ block }) => block)
      const middle = { from: Math.min(...blocks) + 1, to: Math.max(range.from, Math.max(...blocks) - 1) }
      const inside = transactions.filter(({ block }) => block >= middle.from && block <= middle.to)
      expect((await readAll(finder, address, middle)).toSorted()).toEqual(toKeys(inside))
    })

    test('finds nothing of an address without transactions', async () => {
      const { finder, range } = await open()
      expect(await readAll(finder, stranger, range)).toEqual([])
    })
  })
}
