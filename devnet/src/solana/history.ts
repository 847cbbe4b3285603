import type { Address } from '@solana/kit'
import type { Execution, Message } from './execution.ts'

/** What became of a transaction that was executed. */
export type TransactionRecord = Execution & {
  signature: string
  slot: bigint
  /** Seconds since the epoch. */
  blockTime: bigint
  wire: Uint8Array
  message: Message
  /** The addresses that it names itself, in its order; those of lookup tables are not among them. */
  addresses: readonly Address[]
  signatures: readonly string[]
  before: readonly bigint[]
  after: readonly bigint[]
}

/** All that was executed. The runtime forgets it, and would execute it again. */
export type History = {
  add(record: TransactionRecord): void
  get(signature: string): TransactionRecord | undefined
  /** The newest first. */
  of(address: string): readonly TransactionRecord[]
  /** Hears of everything that is added; returns what stops it. */
  listen(listener: (record: TransactionRecord) => void): () => void
}

/** More than this is nobody's history. */
const kept = 20_000

export function createHistory(): History {
  const records = new Map<string, TransactionRecord>()
  const listeners = new Set<(record: TransactionRecord) => void>()
  return {
    add(record) {
      records.set(record.signature, record)
      const [oldest] = records.keys()
      if (records.size > kept && oldest !== undefined) records.delete(oldest)
      for (const listener of listeners) listener(record)
    },
    get: (signature) => records.get(signature),
    of: (wanted) =>
      [...records.values()].filter(({ addresses }) => addresses.some((each) => each === wanted)).toReversed(),
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
