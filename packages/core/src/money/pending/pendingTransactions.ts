import type { AccountId, ChainId } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { defineFeature, getFeature } from '../../instance/feature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'

/** The purpose of a transaction, for a translated text. */
export type Purpose = {
  readonly kind: 'send' | 'swap' | 'approve' | 'name' | 'cancel' | 'other'
  /** The exact amount in whole units, as text: `1.5`. */
  readonly amount?: string
  readonly symbol?: string
  /** The recipient, or the token that is received. */
  readonly to?: string
}

/** A transaction that a wallet sent and the chain has not decided. */
export type PendingTransaction = {
  readonly hash: string
  readonly nonce?: number
  readonly chainId: ChainId
  readonly from: AccountId
  readonly what: Purpose
  /** The hash of the transaction that it replaces. */
  readonly replaces?: string
  /** The time it was sent, in milliseconds since the epoch. */
  readonly since: number
  /** `unknown`: it was not found in time, and may still be mined. */
  readonly status: 'pending' | 'unknown'
}

/** The maximum number of listed and watched transactions [R4.4.7]. */
export const pendingLimit = 99

const pendingStore = defineFeature(() => createStore<readonly PendingTransaction[]>(() => []))

/**
 * Returns the pending transactions of this page as a store, newest first.
 *
 * @example pendingTransactions(latchkey).subscribe(show)
 */
export function pendingTransactions(latchkey: Latchkey): StoreApi<readonly PendingTransaction[]> {
  return getFeature(latchkey, pendingStore)
}

/** Adds a transaction to the list, or updates its entry. A full list drops the oldest entries. */
export function addPending(latchkey: Latchkey, entry: PendingTransaction): void {
  const others = pendingTransactions(latchkey)
    .getState()
    .filter((other) => !isSameTransaction(other, entry))
  pendingTransactions(latchkey).setState([entry, ...others].slice(0, pendingLimit), true)
}

/** Sets the status of a listed transaction: pending, or unknown. */
export function markPending(latchkey: Latchkey, of: Identity, status: PendingTransaction['status']): void {
  const all = pendingTransactions(latchkey).getState()
  pendingTransactions(latchkey).setState(
    all.map((each) => (isSameTransaction(each, of) ? { ...each, status } : each)),
    true,
  )
}

/** Removes a transaction from the list. */
export function removePending(latchkey: Latchkey, of: Identity): void {
  const all = pendingTransactions(latchkey).getState()
  pendingTransactions(latchkey).setState(
    all.filter((each) => !isSameTransaction(each, of)),
    true,
  )
}

type Identity = Pick<PendingTransaction, 'hash' | 'chainId'>

function isSameTransaction(one: Identity, other: Identity): boolean {
  return one.hash === other.hash && one.chainId === other.chainId
}
