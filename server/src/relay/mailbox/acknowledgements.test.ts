import { expect, test } from 'vitest'
import type { Database } from '../../kit/database/database.ts'
import { createAcknowledgements, hashReceiver } from './acknowledgements.ts'

/** Reads the parameter of a `bigint[]`. */
const readList = (parameter: unknown): readonly string[] => String(parameter).slice(1, -1).split(',')
const readSequences = (parameter: unknown): readonly number[] => readList(parameter).map(Number)

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
        written.push(readSequences(sequences))
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

const sequencesTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)

test('acknowledgements are written with the hash of their client', async () => {
  const written: unknown[] = []
  const run: Database['run'] = async (_name, _text, [sequences, receivers]) => {
    written.push([readSequences(sequences), readList(receivers)])
    return []
  }
  const receipts = createAcknowledgements({ database: { run } })
  await Promise.all([receipts.add(1, 'wallet'), receipts.add(2, 'another'), receipts.add(3, 'wallet')])
  const [wallet, another] = [hashReceiver('wallet'), hashReceiver('another')]
  expect(written).toEqual([
    [
      [1, 2, 3],
      [wallet, another, wallet],
    ],
  ])
})

test('a thousand acknowledgements are written at once, and a write that fails repeats only what is missing', async () => {
  const { database, written, fail } = createPages()
  const receipts = createAcknowledgements({ database })
  const run: Database['run'] = (...statement) => {
    if (written.length === 1) fail()
    return database.run(...statement)
  }
  const failing = createAcknowledgements({ database: { run } })
  await Promise.all(sequencesTo(2_000).map((sequence) => receipts.add(sequence, 'wallet')))
  expect(written).toEqual([sequencesTo(1_000), sequencesTo(2_000).slice(1_000)])
  written.length = 0
  const added = sequencesTo(1_500).map((sequence) => failing.add(sequence, 'wallet'))
  await expect(Promise.all(added)).rejects.toThrow('away')
  written.length = 0
  await failing.add(1_501, 'wallet')
  expect(written).toEqual([sequencesTo(1_501).slice(1_000)])
})

test('the latest fifty thousand acknowledgements are kept while the database is away', async () => {
  const { database, written, fail } = createPages()
  const receipts = createAcknowledgements({ database })
  fail()
  const added = sequencesTo(50_001).map((sequence) => receipts.add(sequence, 'wallet'))
  await expect(Promise.all(added)).rejects.toThrow('away')
  await receipts.add(50_002, 'wallet')
  const all = written.flat()
  expect([all.length, all[0], all.at(-1)]).toEqual([50_000, 3, 50_002])
})

test('acknowledgements that are added during a write are written after it', async () => {
  const writes: { sequences: unknown; finish(): void }[] = []
  const run: Database['run'] = async (_name, _text, [sequences]) => {
    await new Promise<void>((resolve) => writes.push({ sequences: readSequences(sequences), finish: resolve }))
    return []
  }
  const receipts = createAcknowledgements({ database: { run } })
  const first = receipts.add(1, 'wallet')
  await expect.poll(() => writes.length).toBe(1)
  const second = receipts.add(2, 'wallet')
  const flushed = receipts.flushed()
  await new Promise((resolve) => setImmediate(resolve))
  expect(writes.map(({ sequences }) => sequences)).toEqual([[1]])
  writes[0]?.finish()
  await first
  await expect.poll(() => writes.length).toBe(2)
  expect(writes[1]?.sequences).toEqual([2])
  writes[1]?.finish()
  await Promise.all([second, flushed])
})
