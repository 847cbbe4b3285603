import { isLatchkeyError, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { ReplacementKind } from '../../instance/events.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { getAdapter, findNetwork } from '../../state/getAccount.ts'
import type { FollowOptions, Outcome, SubmittedTransaction } from '../transfers.ts'
import { invalidateBalances } from '../../account/invalidateBalances.ts'
import { reserveOutcome } from './claimOutcome.ts'
import { holdReport } from './holdReport.ts'
import {
  addMined,
  addPending,
  findPending,
  isSameTransaction,
  ledgerOf,
  patchPending,
  removePending,
  transactionKey,
  type PendingTransaction,
  type Purpose,
  type TransactionIdentity,
  type TransactionLedger,
} from './pendingTransactions.ts'
import { markSettled, storeTransactions } from './storedTransactions.ts'

/** The timeout for a receipt [R9.1.4]. */
const receiptMilliseconds = 25_000

/** A transaction that a wallet sent, and its purpose. */
export type Followed = {
  readonly sent: SubmittedTransaction
  readonly chainId: ChainId
  readonly from: AccountId
  readonly what: Purpose
  /** The hash of the transaction that it replaces. */
  readonly replaces?: string
}

/** The pending outcomes, by chain and hash. */
const pendingOutcomes = defineFeature(() => new Map<string, Promise<Outcome>>())

/**
 * Adds a transaction to the pending transactions until the chain decides it, 25 seconds at most [R9.1.4]. If the chain
 * can't be reached, the outcome is `unknown`, and the transaction stays on the list. Repeated calls return the same
 * outcome. Never rejects.
 *
 * @example
 * const purpose = { kind: 'swap' } as const
 * const { status } = await followTransaction(latchkey, { sent: { hash }, chainId, from, what: purpose })
 */
export function followTransaction(
  latchkey: Latchkey,
  followed: Followed,
  { timeout = receiptMilliseconds, signal }: { timeout?: number; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const { sent, chainId, from, what, replaces } = followed
  const name = transactionKey({ chainId, hash: sent.hash })
  const ledger = ledgerOf(latchkey)
  const outcomes = getFeature(latchkey, pendingOutcomes)
  const present = outcomes.get(name)
  if (present !== undefined) return present
  addPending(ledger, {
    ...sent,
    chainId,
    from,
    what,
    replaces,
    since: latchkey.internal.clock.now(),
    status: 'pending',
  })
  storeTransactions(ledger, followed)
  holdReport(ledger, { chainId, hash: sent.hash })
  const following = waitForOutcome(latchkey, ledger, { followed, timeout, signal })
    .then((outcome) => applyOutcome(latchkey, followed, outcome))
    .then((outcome) => reserveForCaller(ledger, { chainId, hash: sent.hash }, outcome))
    .finally(() => outcomes.delete(name))
  outcomes.set(name, following)
  return following
}

/** The caller shows the outcome, in its view or in a notice. An unknown one is reported when it is found later. */
function reserveForCaller(ledger: TransactionLedger, of: TransactionIdentity, outcome: Outcome): Outcome {
  if (outcome.status !== 'unknown') void reserveOutcome(ledger, of, outcome.status)
  return outcome
}

/** True while a caller of `followTransaction` waits for the outcome. */
export function isFollowed(latchkey: Latchkey, of: TransactionIdentity): boolean {
  return getFeature(latchkey, pendingOutcomes).has(transactionKey(of))
}

/** Looks up a listed transaction once, at most for the given milliseconds, without a new entry. */
export async function checkOutcome(
  latchkey: Latchkey,
  transaction: PendingTransaction,
  timeout: number,
): Promise<Outcome> {
  const { chainId, from, what, replaces } = transaction
  const followed: Followed = { sent: transaction, chainId, from, what, replaces }
  const outcome = await waitForOutcome(latchkey, ledgerOf(latchkey), { followed, timeout, once: true })
  // A transaction that was just sent is not missing yet.
  const isNew = latchkey.internal.clock.now() - transaction.since < receiptMilliseconds
  return outcome.status === 'unknown' && isNew ? outcome : applyOutcome(latchkey, followed, outcome)
}

async function waitForOutcome(
  latchkey: Pick<Latchkey, 'adapters' | 'networks'>,
  ledger: TransactionLedger,
  { followed: { sent, chainId, from, replaces }, ...options }: Omit<FollowOptions, 'onFound'> & { followed: Followed },
): Promise<Outcome> {
  const { hash } = sent
  const onFound = ({ nonce, expectedNonce, block, content, spends }: SubmittedTransaction): void => {
    const change = hasOtherNonce(ledger, { hash: replaces, chainId }, nonce) ? independent : {}
    patchPending(ledger, { hash, chainId }, { nonce, expectedNonce, block, content, spends, ...change })
    storeTransactions(ledger, { from, chainId })
  }
  try {
    const adapter = getAdapter(latchkey, parseAccountId(from).namespace)
    const network = findNetwork(latchkey, chainId) ?? adapter.unknownNetwork(chainId)
    const transfers = await adapter.transfers?.()
    if (transfers !== undefined) {
      const outcome = await transfers.follow(network, from, sent, { ...options, onFound })
      return isMistaken(ledger, { hash, chainId }, outcome) ? { status: 'unknown', hash } : outcome
    }
    const { blockNumber } = await adapter.waitForReceipt(network, hash, options)
    return { status: 'mined', hash, blockNumber }
  } catch (error) {
    if (isLatchkeyError(error, 'transaction/reverted')) {
      return { status: 'reverted', hash, reason: error.context.reason }
    }
    return { status: 'unknown', hash }
  }
}

/**
 * True if a transaction with an expected nonce only seems replaced: by another one of this list, which used that nonce
 * because the chain did not show it in time.
 */
function isMistaken(ledger: TransactionLedger, of: TransactionIdentity, outcome: Outcome): boolean {
  if (outcome.status !== 'replaced' || findPending(ledger, of)?.nonce !== undefined) return false
  const by = { hash: outcome.by, chainId: of.chainId }
  return findPending(ledger, by) !== undefined || ledger.settled.has(transactionKey(by))
}

/** A wallet that chose another nonce sent a transaction of its own, which replaces nothing. */
const independent = { replaces: undefined, what: { kind: 'other' } } as const

function hasOtherNonce(
  ledger: TransactionLedger,
  { hash, chainId }: Partial<TransactionIdentity>,
  nonce: number | undefined,
): boolean {
  if (nonce === undefined || hash === undefined || chainId === undefined) return false
  const original = findPending(ledger, { hash, chainId })?.nonce
  return original !== undefined && original !== nonce
}

/** Removes a settled transaction, and those that can no longer be mined. Cached balances of the account are outdated. */
function applyOutcome(latchkey: Latchkey, { sent, chainId, from }: Followed, outcome: Outcome): Outcome {
  const ledger = ledgerOf(latchkey)
  const { hash } = sent
  if (outcome.status === 'unknown') {
    patchPending(ledger, { hash, chainId }, { status: 'unknown' })
    return outcome
  }
  const listed = findPending(ledger, { hash, chainId })
  const by = outcome.status === 'replaced' ? outcome.by : outcome.hash
  const rivals = listed === undefined || outcome.status === 'replaced' ? [] : listRivals(ledger, listed)
  if (listed !== undefined) addMined(ledger, { transaction: listed, by })
  for (const each of [{ hash, chainId }, ...rivals]) decide(ledger, each)
  storeTransactions(ledger, { from, chainId })
  invalidateBalances(latchkey, from, chainId)
  const { status } = outcome
  const replacement = outcome.status === 'replaced' ? { by, how: outcome.how } : {}
  latchkey.events.emit({ type: 'transaction', chainId, from, hash, status, ...replacement })
  for (const rival of rivals) {
    const how = listed === undefined ? 'other' : describeReplacement(rival, listed)
    // The same transaction with another fee has the same outcome.
    const fate = status === 'reverted' && how === 'repriced' ? { status } : { status: 'replaced' as const, by, how }
    latchkey.events.emit({ type: 'transaction', chainId, from, hash: rival.hash, ...fate })
  }
  return outcome
}

/** Lists the transactions that share the nonce of a mined one. A replacement with another nonce settles nothing else. */
function listRivals(ledger: TransactionLedger, mined: PendingTransaction): readonly PendingTransaction[] {
  const { chainId, from, nonce } = mined
  if (nonce === undefined) return []
  return ledger.pending
    .getState()
    .filter(
      (each) =>
        each.chainId === chainId && each.from === from && each.nonce === nonce && !isSameTransaction(each, mined),
    )
}

/** Describes what a mined transaction means for another one with the same nonce. */
function describeReplacement(of: PendingTransaction, mined: PendingTransaction): ReplacementKind {
  const isSame = (['kind', 'amount', 'symbol', 'to'] as const).every((key) => of.what[key] === mined.what[key])
  if (isSame) return 'repriced'
  return mined.what.kind === 'cancel' ? 'cancelled' : 'other'
}

function decide(ledger: TransactionLedger, of: TransactionIdentity): void {
  markSettled(ledger, of)
  removePending(ledger, of)
}
