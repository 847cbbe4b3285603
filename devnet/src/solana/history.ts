import type { Address } from '@solana/kit'
import type { Execution, Message } from './execution.ts'

/** The record of an executed transaction. */
export type TransactionRecord = Execution & {
  signature: string
  slot: bigint
  /** Seconds since the epoch. */
  blockTime: bigint
  wire: Uint8Array
  message: Message
  /** Its static account addresses, in order, without those of lookup tables. */
  addresses: readonly Address[]
  signatures: readonly string[]
  before: readonly bigint[]
  after: readonly bigint[]
  tokensBefore: readonly TokenBalance[]
  tokensAfter: readonly TokenBalance[]
}

/** The balance of a token account, with its place among the addresses of a transaction. */
export type TokenBalance = { accountIndex: number; mint: string; owner: string; amount: bigint; decimals: number }

/** All executed transactions. The runtime forgets them and would execute one again. */
export type History = {
  add(record: TransactionRecord): void
  get(signature: string): TransactionRecord | undefined
  /**
   * The transactions of an address, the newest first.
   *
   * @param before a transaction of any address; only older ones are returned
   */
  of(address: string, before?: string): readonly TransactionRecord[]
  /** Calls a listener with each new record; returns a function that stops it. */
  listen(listener: (record: TransactionRecord) => void): () => void
}

/** The maximum of records per address. */
const maxEntries = 20_000

export function createHistory(): History {
  const records = new Map<string, TransactionRecord>()
  const listeners = new Set<(record: TransactionRecord) => void>()
  return {
    add(record) {
      records.set(record.signature, record)
      const [oldest] = records.keys()
      if (records.size > maxEntries && oldest !== undefined) records.delete(oldest)
      for (const listener of listeners) listener(record)
    },
    get: (signature) => records.get(signature),
    of(wanted, before) {
      const all = [...records.values()]
      const end = before === undefined ? -1 : all.findIndex(({ signature }) => signature === before)
      return all
        .slice(0, end === -1 ? undefined : end)
        .filter(({ addresses }) => addresses.some((each) => each === wanted))
        .toReversed()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
