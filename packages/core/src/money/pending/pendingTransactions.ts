import type { AccountId, ChainId } from '@latchkey/protocol'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Clock } from '../../contracts/clock.ts'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import type { Memory } from '../../storage/memory.ts'
import type { SubmittedTransaction } from '../transfers.ts'

/** The purpose of a transaction, for a translated text. */
export type Purpose = {
  readonly kind: 'send' | 'swap' | 'approve' | 'revoke' | 'name' | 'cancel' | 'other'
  /** The exact amount in whole units, as text: `1.5`. */
  readonly amount?: string
  readonly symbol?: string
  /** The recipient, or the token that is received. */
  readonly to?: string
  /** The name of the recipient, if the user paid a name. */
  readonly name?: string
}

/** A transaction that a wallet sent and that has not settled on the chain. */
export type PendingTransaction = SubmittedTransaction & {
  readonly chainId: ChainId
  readonly from: AccountId
  readonly what: Purpose
  /** The hash of the transaction that it replaces. */
  readonly replaces?: string
  /** The time it was sent, in milliseconds since the epoch. */
  readonly since: number
  /** `unknown`: it was not found in time, and may still be mined. */
  readonly status: 'pending' | 'unknown'
  /** True if the hash is the id of a batch (EIP-5792), which only the wallet knows. */
  readonly batch?: boolean
  /** True if it was mined, and the chain then dropped its block. */
  readonly reorged?: boolean
}

/** A transaction in a block that can still change. */
export type MinedTransaction = {
  readonly transaction: PendingTransaction
  /** The hash in the block: of the transaction itself, or of the one that replaced it. */
  readonly by: string
}

/** The maximum number of listed and watched transactions [R4.4.7]. */
export const pendingLimit = 99

/** The pending transactions of an instance, and the dependencies to store them. */
export type TransactionLedger = {
  readonly pending: StoreApi<readonly PendingTransaction[]>
  /** The mined transactions whose blocks can still change, newest first. */
  readonly mined: StoreApi<readonly MinedTransaction[]>
  /** The keys of transactions that this page saw settle. Another tab may still store them. */
  readonly settled: Set<string>
  /** Functions that let other tabs report a transaction that this one sent, by the key of the transaction. */
  readonly held: Map<string, () => void>
  /** The outcomes that this tab claimed for a caller, which will show them. */
  readonly reserved: Set<string>
  readonly memory: Memory
  readonly clock: Clock
}

const ledgerFeature = defineFeature(({ internal: { memory, clock } }): TransactionLedger => ({
  pending: createStore<readonly PendingTransaction[]>(() => []),
  mined: createStore<readonly MinedTransaction[]>(() => []),
  settled: new Set(),
  held: new Map(),
  reserved: new Set(),
  memory,
  clock,
}))

/** Returns the pending transactions of an instance. */
export function ledgerOf(latchkey: Latchkey): TransactionLedger {
  return getFeature(latchkey, ledgerFeature)
}

/**
 * Returns the pending transactions of this page as a store, newest first.
 *
 * @example pendingTransactions(latchkey).subscribe(show)
 */
export function pendingTransactions(latchkey: Latchkey): StoreApi<readonly PendingTransaction[]> {
  return ledgerOf(latchkey).pending
}

/** Adds a transaction to the list, or updates its entry. A full list drops the oldest entries. */
export function addPending({ pending }: TransactionLedger, entry: PendingTransaction): void {
  const others = pending.getState().filter((other) => !isSameTransaction(other, entry))
  pending.setState([entry, ...others].slice(0, pendingLimit), true)
}

/** Changes a listed transaction: its status, or what the chain revealed about it. */
export function patchPending(
  { pending }: TransactionLedger,
  of: TransactionIdentity,
  change: Partial<
    Pick<
      PendingTransaction,
      'status' | 'nonce' | 'expectedNonce' | 'block' | 'content' | 'spends' | 'replaces' | 'what'
    >
  >,
): void {
  const patch = (each: PendingTransaction): PendingTransaction =>
    isSameTransaction(each, of) ? { ...each, ...change } : each
  pending.setState(pending.getState().map(patch), true)
}

/** Removes a transaction from the list. */
export function removePending({ pending }: TransactionLedger, of: TransactionIdentity): void {
  const others = pending.getState().filter((each) => !isSameTransaction(each, of))
  pending.setState(others, true)
}

/** Returns the listed transaction with this hash. */
export function findPending({ pending }: TransactionLedger, of: TransactionIdentity): PendingTransaction | undefined {
  return pending.getState().find((each) => isSameTransaction(each, of))
}

/** Keeps a mined transaction until its block is final. */
export function addMined({ mined }: TransactionLedger, entry: MinedTransaction): void {
  const others = mined.getState().filter(({ transaction }) => !isSameTransaction(transaction, entry.transaction))
  mined.setState([entry, ...others].slice(0, pendingLimit), true)
}

/** Forgets a mined transaction. */
export function removeMined({ mined }: TransactionLedger, of: TransactionIdentity): void {
  const others = mined.getState().filter(({ transaction }) => !isSameTransaction(transaction, of))
  mined.setState(others, true)
}

/** A transaction with the values that a notice names. */
export type NamedTransaction = Pick<PendingTransaction, 'hash' | 'chainId' | 'what'> &
  Partial<Pick<PendingTransaction, 'replaces'>>

export type TransactionIdentity = Pick<PendingTransaction, 'hash' | 'chainId'>

/** True if two entries have the same hash on the same chain. */
export function isSameTransaction(one: TransactionIdentity, other: TransactionIdentity): boolean {
  return one.hash === other.hash && one.chainId === other.chainId
}

/** Returns a key for a transaction: its chain and its hash. */
export function transactionKey({ chainId, hash }: TransactionIdentity): string {
  return `${chainId}/${hash}`
}
