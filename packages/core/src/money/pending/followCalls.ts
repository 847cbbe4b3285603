import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { getCallsStatus, waitForCalls } from '../../requests/sendCalls.ts'
import type { CallsStatus } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { invalidateBalances } from '../../account/invalidateBalances.ts'
import { defineFeature, getFeature, type FeatureKey } from '../../instance/defineFeature.ts'
import type { Outcome } from '../transfers.ts'
import { reserveOutcome } from './claimOutcome.ts'
import { followTransaction } from './followTransaction.ts'
import { holdReport } from './holdReport.ts'
import {
  addPending,
  ledgerOf,
  patchPending,
  removePending,
  transactionKey,
  type PendingTransaction,
  type Purpose,
  type TransactionLedger,
} from './pendingTransactions.ts'
import { markSettled, storeTransactions } from './storedTransactions.ts'

/** A batch that the wallet has not reported for this long is forgotten: another wallet of the account may have had it. */
const forgottenAfterMs = 86_400_000

/**
 * The outcome of a batch of calls (EIP-5792), as the wallet reports it. The transaction of a smart account can succeed
 * although its calls were reverted (ERC-4337), so a receipt alone proves nothing.
 */
export type CallsOutcome = {
  /** True if the hash is the id of the batch, which no block explorer knows. */
  readonly isBatch?: boolean
} & (
  | Outcome
  /** Executed, without a receipt. */
  | { readonly status: 'mined'; readonly hash: string; readonly blockNumber?: undefined }
  /** Given up before it reached the chain: nothing was charged. */
  | { readonly status: 'failed'; readonly hash: string }
  /** Some of the calls were executed, the others were reverted. */
  | { readonly status: 'partly-reverted'; readonly hash: string }
)

/** A batch that the wallet accepted, and its purpose. */
export type FollowedCalls = { id: string; chainId: ChainId; from: AccountId; what: Purpose }

/** The keys of the batches that a caller of `followCalls` waits for. */
export const followedCalls: FeatureKey<Set<string>> = defineFeature(() => new Set<string>())

/**
 * Adds a batch of calls (EIP-5792) to the pending transactions, under its own id, until the wallet reports its outcome. It
 * is stored, so that the wallet can be asked after a reload. Never rejects.
 *
 * @returns `unknown` if the wallet does not report it in time; the batch stays on the list
 * @example const { status } = await followCalls(latchkey, { id, chainId, from, what: { kind: 'swap' } })
 */
export async function followCalls(latchkey: Latchkey, batch: FollowedCalls): Promise<CallsOutcome> {
  const { id: hash, chainId, from, what } = batch
  const ledger = ledgerOf(latchkey)
  const followed = getFeature(latchkey, followedCalls)
  const key = transactionKey({ chainId, hash })
  addPending(ledger, {
    hash,
    chainId,
    from,
    what,
    since: latchkey.internal.clock.now(),
    status: 'pending',
    batch: true,
  })
  storeTransactions(ledger, { chainId, from })
  followed.add(key)
  holdReport(ledger, { chainId, hash })
  try {
    const { namespace } = parseAccountId(from)
    const outcome = await settleCalls({ latchkey, batch, status: await waitForCalls(latchkey, hash, { namespace }) })
    // The caller shows it.
    if (outcome.status !== 'unknown') void reserveOutcome(ledger, { chainId, hash }, outcome.status)
    return outcome
  } catch {
    patchPending(ledger, { hash, chainId }, { status: 'unknown' })
    return { status: 'unknown', hash, isBatch: true }
  } finally {
    followed.delete(key)
  }
}

/**
 * Asks the wallet once for the outcome of a listed batch.
 *
 * @returns undefined while it is pending, or if the wallet does not report it
 */
export async function checkCalls(latchkey: Latchkey, batch: PendingTransaction): Promise<CallsOutcome | undefined> {
  const { hash: id, chainId, from, what, since } = batch
  const { namespace } = parseAccountId(from)
  const status = await getCallsStatus(latchkey, id, { namespace }).catch(() => undefined)
  if (status !== undefined) {
    return status.status === 'pending'
      ? undefined
      : settleCalls({ latchkey, batch: { id, chainId, from, what }, status })
  }
  if (latchkey.internal.clock.now() - since > forgottenAfterMs) removeCalls(ledgerOf(latchkey), batch)
  else if (batch.status !== 'unknown') patchPending(ledgerOf(latchkey), batch, { status: 'unknown' })
  return undefined
}

type SettledCalls = { latchkey: Latchkey; batch: FollowedCalls; status: CallsStatus }

/** Ends the entry of a batch. The transaction of an executed batch is then followed on the chain. */
async function settleCalls({ latchkey, batch, status }: SettledCalls): Promise<CallsOutcome> {
  const { id: hash, chainId, from } = batch
  removeCalls(ledgerOf(latchkey), { hash, chainId, from })
  invalidateBalances(latchkey, from, chainId)
  const { what } = batch
  const follow = (sent: string): Promise<CallsOutcome> =>
    followTransaction(latchkey, { sent: { hash: sent }, chainId, from, what })
  const outcome = await getOutcome(hash, status, follow)
  // The details of the batch know its id only.
  if (outcome.status !== 'unknown') {
    const result = outcome.status === 'mined' || outcome.status === 'replaced' ? outcome.status : 'reverted'
    latchkey.events.emit({ type: 'transaction', chainId, from, hash, status: result })
  }
  return outcome
}

async function getOutcome(
  id: string,
  { status, receipts }: CallsStatus,
  follow: (hash: string) => Promise<CallsOutcome>,
): Promise<CallsOutcome> {
  const hash = receipts.at(-1)?.hash
  const of = hash === undefined ? { hash: id, isBatch: true } : { hash }
  switch (status) {
    case 'pending':
      return { status: 'unknown', hash: id, isBatch: true }
    case 'confirmed':
      if (hash === undefined) return { status: 'mined', ...of }
      return follow(hash)
    case 'reverted':
      return { status, ...of, reason: 'unknown reason' }
    default:
      return { status, ...of }
  }
}

function removeCalls(
  ledger: TransactionLedger,
  { hash, chainId, from }: Pick<PendingTransaction, 'hash' | 'chainId' | 'from'>,
): void {
  markSettled(ledger, { hash, chainId })
  removePending(ledger, { hash, chainId })
  storeTransactions(ledger, { chainId, from })
}
