import { parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { getCallsStatus, waitForCalls } from '../../requests/sendCalls.ts'
import type { CallsStatus } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { invalidateBalances } from '../../account/invalidateBalances.ts'
import type { Outcome } from '../transfers.ts'
import { followTransaction } from './followTransaction.ts'
import { ledgerOf, removePending, addPending, patchPending, type Purpose } from './pendingTransactions.ts'

/**
 * The outcome of a batch of calls (EIP-5792), as the wallet reports it. The transaction of a smart account can succeed
 * although its calls were reverted (ERC-4337), so a receipt alone proves nothing.
 */
export type CallsOutcome = { readonly isBatch?: boolean } & (
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

/**
 * Adds a batch of calls (EIP-5792) to the pending transactions, under its own id, until the wallet reports its outcome.
 * Never rejects.
 *
 * @returns `unknown` if the wallet does not report it in time; the batch stays on the list
 * @example const { status } = await followCalls(latchkey, { id, chainId, from, what: { kind: 'swap' } })
 */
export async function followCalls(latchkey: Latchkey, batch: FollowedCalls): Promise<CallsOutcome> {
  const { id: hash, chainId, from, what } = batch
  const ledger = ledgerOf(latchkey)
  addPending(ledger, {
    hash,
    chainId,
    from,
    what,
    since: latchkey.internal.clock.now(),
    status: 'pending',
    batch: true,
  })
  try {
    const { namespace } = parseAccountId(from)
    return await settleCalls(latchkey, batch, await waitForCalls(latchkey, hash, { namespace }))
  } catch {
    patchPending(ledger, { hash, chainId }, { status: 'unknown' })
    return { status: 'unknown', hash, isBatch: true }
  }
}

/** Asks the wallet once for the outcome of a listed batch. Returns true if it has settled. */
export async function checkCalls(
  latchkey: Latchkey,
  { hash, chainId, from }: { hash: string; chainId: ChainId; from: AccountId },
): Promise<boolean> {
  const { namespace } = parseAccountId(from)
  const status = await getCallsStatus(latchkey, hash, { namespace }).catch(() => undefined)
  if (status === undefined || status.status === 'pending') return false
  removePending(ledgerOf(latchkey), { hash, chainId })
  invalidateBalances(latchkey, from, chainId)
  return true
}

/** Ends the entry of a batch. The transaction of an executed batch is then followed on the chain. */
async function settleCalls(
  latchkey: Latchkey,
  { id, chainId, from, what }: FollowedCalls,
  { status, receipts }: CallsStatus,
): Promise<CallsOutcome> {
  const hash = receipts.at(-1)?.hash
  removePending(ledgerOf(latchkey), { hash: id, chainId })
  invalidateBalances(latchkey, from, chainId)
  const of = hash === undefined ? { hash: id, isBatch: true } : { hash }
  switch (status) {
    case 'pending':
      return { status: 'unknown', hash: id, isBatch: true }
    case 'confirmed':
      if (hash === undefined) return { status: 'mined', ...of }
      return followTransaction(latchkey, { sent: { hash }, chainId, from, what })
    case 'reverted':
      return { status, ...of, reason: 'unknown reason' }
    default:
      return { status, ...of }
  }
}
