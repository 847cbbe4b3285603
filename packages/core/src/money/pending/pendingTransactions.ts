import type { AccountId, ChainId } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'

/** What a transaction is for, as data, so that a page says it in its own language. */
export type Purpose = {
  readonly kind: 'send' | 'swap' | 'approve' | 'name' | 'cancel' | 'other'
  /** The exact amount in whole units, as text: `1.5`. */
  readonly amount?: string
  readonly symbol?: string
  /** Who gets it, or what it is turned into. */
  readonly to?: string
}

/** A transaction that a wallet sent, as long as the chain has not told how it ended. */
export type PendingTransaction = {
  readonly hash: string
  readonly nonce?: number
  readonly chainId: ChainId
  readonly from: AccountId
  readonly what: Purpose
  /** The hash of the transaction whose place it is to take. */
  readonly replaces?: string
  /** When it was sent, in milliseconds since the epoch. */
  readonly since: number
  /** `unknown`: it was looked for long enough, and may still be mined. */
  readonly status: 'pending' | 'unknown'
}

/** How many are kept and watched at most [R4.4.7]. */
export const pendingLimit = 99

const key = Symbol('pending transactions')

/**
 * The transactions of this page that are on their way, newest first.
 *
 * @example pendingTransactions(latchkey).subscribe(show)
 */
export function pendingTransactions(latchkey: Latchkey): StoreApi<readonly PendingTransaction[]> {
  return companion(latchkey, key, () => createStore<readonly PendingTransaction[]>(() => []))
}

/** Puts a transaction on the list, in place of its own earlier entry. The oldest ones give way to the newest. */
export function keepPending(latchkey: Latchkey, entry: PendingTransaction): void {
  const others = pendingTransactions(latchkey)
    .getState()
    .filter((other) => !isSame(other, entry))
  pendingTransactions(latchkey).setState([entry, ...others].slice(0, pendingLimit), true)
}

/** Says that a transaction is looked for, or was looked for in vain. */
export function markPending(latchkey: Latchkey, of: Identity, status: PendingTransaction['status']): void {
  const all = pendingTransactions(latchkey).getState()
  pendingTransactions(latchkey).setState(
    all.map((each) => (isSame(each, of) ? { ...each, status } : each)),
    true,
  )
}

/** Takes a transaction off the list. */
export function dropPending(latchkey: Latchkey, of: Identity): void {
  const all = pendingTransactions(latchkey).getState()
  pendingTransactions(latchkey).setState(
    all.filter((each) => !isSame(each, of)),
    true,
  )
}

type Identity = Pick<PendingTransaction, 'hash' | 'chainId'>

function isSame(one: Identity, other: Identity): boolean {
  return one.hash === other.hash && one.chainId === other.chainId
}
