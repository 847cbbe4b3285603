import { expect, test } from 'vitest'
import type { Database } from '../../kit/database/database.ts'
import { createAcknowledgements, hashReceiver } from './acknowledgements.ts'

/** An in-memory message store for the acknowledgements. */
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

test('acknowledgements added at the same time are written in one batch', async () => {
  const { database, written } = createPages()
  const receipts = createAcknowledgements({ database })
  await Promise.all([1, 2, 3].map((sequence) => receipts.add(sequence, 'wallet')))
  expect(written).toEqual([[1, 2, 3]])
})

test('flushed() writes pending acknowledgements immediately', async () => {
  const { database, written } = createPages()
  const receipts = createAcknowledgements({ database })
  void receipts.add(1, 'wallet')
  await receipts.flushed()
  expect(written).toEqual([[1]])
})

test('acknowledgements are retried in order after a failed write [R-02]', async () => {
  const { database, written, fail } = createPages()
  const receipts = createAcknowledgements({ database })
  fail()
  await expect(Promise.all([receipts.add(1, 'wallet'), receipts.add(2, 'wallet')])).rejects.toThrow('away')
  await receipts.add(3, 'wallet')
  expect(written).toEqual([[1, 2, 3]])
})

test('hashReceiver returns the same eight bytes for the same receiver', () => {
  expect(hashReceiver('wallet')).toBe(hashReceiver('wallet'))
  expect(hashReceiver('wallet')).not.toBe(hashReceiver('another'))
  expect(BigInt(hashReceiver('wallet')) >= -(2n ** 63n) && BigInt(hashReceiver('wallet')) < 2n ** 63n).toBe(true)
})
