import { expect, test } from 'vitest'
import type { Database } from '../kit/database.ts'
import { createReceipts, receiverOf } from './receipts.ts'

/** What the notebook needs of a database, in memory. */
function createPages(): { database: Pick<Database, 'run'>; written: unknown[]; fail(): void } {
  const written: unknown[] = []
  let fails = false
  return {
    written,
    fail: () => (fails = true),
    database: {
      async run(_name, _text, [sequences]) {
        if (fails) {
          fails = false
          throw new Error('away')
        }
        written.push(sequences)
        return []
      },
    },
  }
}

test('writes what comes within a moment together', async () => {
  const { database, written } = createPages()
  const receipts = createReceipts({ database })
  await Promise.all([1, 2, 3].map((sequence) => receipts.add(sequence, 'wallet')))
  expect(written).toEqual([[1, 2, 3]])
})

test('writes at once when somebody has to know', async () => {
  const { database, written } = createPages()
  const receipts = createReceipts({ database })
  void receipts.add(1, 'wallet')
  await receipts.written()
  expect(written).toEqual([[1]])
})

test('keeps what could not be written for the next time, in its order [R-02]', async () => {
  const { database, written, fail } = createPages()
  const receipts = createReceipts({ database })
  fail()
  await expect(Promise.all([receipts.add(1, 'wallet'), receipts.add(2, 'wallet')])).rejects.toThrow('away')
  await receipts.add(3, 'wallet')
  expect(written).toEqual([[1, 2, 3]])
})

test('names a receiver by eight bytes that are always the same', () => {
  expect(receiverOf('wallet')).toBe(receiverOf('wallet'))
  expect(receiverOf('wallet')).not.toBe(receiverOf('another'))
  expect(BigInt(receiverOf('wallet')) >= -(2n ** 63n) && BigInt(receiverOf('wallet')) < 2n ** 63n).toBe(true)
})
