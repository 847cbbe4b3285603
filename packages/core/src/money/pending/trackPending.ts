import { formatAccountId, parseAccountId } from '@latchkey/protocol'
import { invalidateBalances } from '../../account/invalidateBalances.ts'
import { getFeature } from '../../instance/defineFeature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { findNetwork, getAdapter } from '../../state/getAccount.ts'
import { listConnectedAccounts, ownerOf } from '../../state/listConnectedAccounts.ts'
import type { Finality } from '../transfers.ts'
import { checkCalls, followedCalls, type CallsOutcome } from './followCalls.ts'
import { checkOutcome, isFollowed } from './followTransaction.ts'
import {
  addPending,
  findPending,
  isSameTransaction,
  ledgerOf,
  removeMined,
  transactionKey,
  type MinedTransaction,
  type PendingTransaction,
  type TransactionLedger,
} from './pendingTransactions.ts'
import { loadTransactions, storeTransactions } from './storedTransactions.ts'
import type { TrackedPage } from './trackedPage.ts'

/** Milliseconds between two rounds. The pause doubles while nothing changes. */
const pauseMs = { first: 2_000, most: 60_000 } as const

/** The timeout of one lookup. */
const lookMs = 5_000

/** A payment without a waiting caller has settled, or a reorg returned it to pending. */
export type TrackedOutcome = Exclude<CallsOutcome, { status: 'unknown' }> | { readonly status: 'reorged' }

export type TrackOptions = {
  /** False to check only when the page becomes visible again. Defaults to true. */
  polls?: boolean
  /** The page whose visibility counts. Defaults to the document; without one, the page counts as visible. */
  page?: TrackedPage | undefined
  /** Called for each transaction that settles while nothing else waits for it. */
  onOutcome?: (transaction: PendingTransaction, outcome: TrackedOutcome) => void
}

/**
 * Resolves the pending transactions of the connected accounts, including those of earlier page loads and of other tabs.
 * It checks at once, with growing pauses, and when the page becomes visible again. A hidden page sends no requests. A
 * mined transaction is checked until its block is final: after a reorg, it is pending again.
 *
 * @returns a function that stops it
 * @example const stop = trackPending(latchkey, { onOutcome: (transaction, { status }) => show(transaction, status) })
 */
export function trackPending(
  latchkey: Latchkey,
  { polls = true, page = typeof document === 'undefined' ? undefined : document, onOutcome }: TrackOptions = {},
): () => void {
  const tracking: Tracking = { latchkey, ledger: ledgerOf(latchkey), missing: new Set(), onOutcome }
  const { clock, pending } = tracking.ledger
  let isStopped = false
  let isRunning = false
  let pause: number = pauseMs.first
  let cancel = (): void => {}

  const check = async (): Promise<void> => {
    cancel()
    if (isStopped || isRunning || page?.visibilityState === 'hidden') return
    isRunning = true
    const isChanged = await checkTransactions(tracking).finally(() => (isRunning = false))
    if (isChanged) pause = pauseMs.first
    plan()
    pause = Math.min(pause * 2, pauseMs.most)
  }
  const plan = (): void => {
    cancel()
    if (polls && !isStopped && hasWork(tracking)) cancel = clock.after(pause, () => void check())
  }
  const restart = (): void => {
    pause = pauseMs.first
    if (!isRunning) plan()
  }
  const onVisibilityChange = (): void => {
    pause = pauseMs.first
    if (page?.visibilityState === 'hidden') cancel()
    else void check()
  }
  const stops = [
    pending.subscribe((now, before) => {
      if (countOf(now, 'unknown') > countOf(before, 'unknown') || now.length > before.length) restart()
    }),
    latchkey.wallet.subscribe(() => void (polls && check())),
  ]
  page?.addEventListener('visibilitychange', onVisibilityChange)
  if (polls) void check()
  return () => {
    isStopped = true
    cancel()
    for (const stop of stops) stop()
    page?.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

/** The values that a round of lookups needs. */
type Tracking = {
  readonly latchkey: Latchkey
  readonly ledger: TransactionLedger
  /** The hashes of mined transactions that the last lookup missed. */
  readonly missing: Set<string>
  readonly onOutcome: TrackOptions['onOutcome']
}

function countOf(all: readonly PendingTransaction[], status: PendingTransaction['status']): number {
  return all.filter((each) => each.status === status).length
}

/** Checks every transaction of the connected accounts once. Returns true if one of them changed. */
async function checkTransactions(tracking: Tracking): Promise<boolean> {
  const { latchkey, ledger, missing, onOutcome } = tracking
  loadStored(tracking)
  const isOwn = isOwnOf(tracking)
  const calls = getFeature(latchkey, followedCalls)
  let isChanged = false
  // One after the other, the newest first: a mined replacement also removes what it replaces.
  for (const transaction of ledger.pending.getState().filter(isOwn)) {
    const isListed = findPending(ledger, transaction) !== undefined
    const isWaitedFor = isFollowed(latchkey, transaction) || calls.has(transactionKey(transaction))
    if (isListed && !isWaitedFor && (await checkPending(tracking, transaction))) isChanged = true
  }
  for (const each of ledger.mined.getState().filter(({ transaction }) => isOwn(transaction))) {
    const finality = await getFinality(latchkey, each)
    if (finality === 'final') forgetMined(ledger, each)
    if (!isReorg(each, finality, missing)) continue
    isChanged = true
    returnToPending(tracking, each)
    onOutcome?.(each.transaction, { status: 'reorged' })
  }
  return isChanged
}

/** Looks up one pending transaction. Returns true if it has settled. */
async function checkPending(
  { latchkey, ledger, onOutcome }: Tracking,
  transaction: PendingTransaction,
): Promise<boolean> {
  if (transaction.batch === true) {
    const calls = await checkCalls(latchkey, transaction)
    // The transaction of an executed batch that is not found in time is listed itself.
    if (calls !== undefined && calls.status !== 'unknown') onOutcome?.(transaction, calls)
    return calls !== undefined
  }
  const outcome = await checkOutcome(latchkey, transaction, lookMs)
  if (outcome.status === 'unknown') return false
  // The original was mined before its replacement, and is reported itself.
  const isLate = outcome.status === 'replaced' && outcome.by === transaction.replaces
  // The lookup may have shown that it replaces nothing.
  const settled = ledger.mined.getState().find((each) => isSameTransaction(each.transaction, transaction))
  if (!isLate) onOutcome?.(settled?.transaction ?? transaction, outcome)
  return true
}

/** Adds the transactions that the storage holds for the connected accounts. */
function loadStored({ latchkey, ledger }: Tracking): void {
  for (const account of listConnectedAccounts(latchkey)) {
    const { namespace, address } = parseAccountId(account)
    for (const { caipNetworkId: chainId, chainNamespace } of latchkey.networks) {
      if (chainNamespace !== namespace) continue
      loadTransactions(ledger, { chainId, from: formatAccountId({ chainId, address }) })
    }
  }
}

/** A request about another account would tell the node that both belong together. */
function isOwnOf({ latchkey }: Tracking): (transaction: PendingTransaction) => boolean {
  const own = listConnectedAccounts(latchkey).map(ownerOf)
  return ({ from }) => own.includes(ownerOf(from))
}

function hasWork(tracking: Tracking): boolean {
  const isOwn = isOwnOf(tracking)
  const { pending, mined } = tracking.ledger
  return pending.getState().some(isOwn) || mined.getState().some(({ transaction }) => isOwn(transaction))
}

/** Returns undefined if the chain can't be reached. */
async function getFinality(
  latchkey: Pick<Latchkey, 'adapters' | 'networks'>,
  { transaction: { from, chainId }, by }: MinedTransaction,
): Promise<Finality | undefined> {
  try {
    const adapter = getAdapter(latchkey, parseAccountId(from).namespace)
    const network = findNetwork(latchkey, chainId) ?? adapter.unknownNetwork(chainId)
    const transfers = await adapter.transfers?.()
    return transfers?.getFinality === undefined ? 'final' : await transfers.getFinality(network, by)
  } catch {
    return undefined
  }
}

/** Two lookups in a row must miss it: the nodes behind one endpoint know a new block at different times. */
function isReorg({ by }: MinedTransaction, finality: Finality | undefined, missing: Set<string>): boolean {
  if (finality === undefined) return false
  const isMissedAgain = finality === 'missing' && missing.has(by)
  missing.delete(by)
  if (finality === 'missing' && !isMissedAgain) missing.add(by)
  return isMissedAgain
}

function forgetMined(ledger: TransactionLedger, { transaction }: MinedTransaction): void {
  removeMined(ledger, transaction)
  storeTransactions(ledger, transaction)
}

function returnToPending({ latchkey, ledger }: Tracking, { transaction }: MinedTransaction): void {
  const { chainId, from, hash } = transaction
  removeMined(ledger, transaction)
  ledger.settled.delete(transactionKey(transaction))
  addPending(ledger, { ...transaction, status: 'pending', reorged: true })
  storeTransactions(ledger, transaction)
  invalidateBalances(latchkey, from, chainId)
  latchkey.events.emit({ type: 'transaction', chainId, from, hash, status: 'reorged' })
}
