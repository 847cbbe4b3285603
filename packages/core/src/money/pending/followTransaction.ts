import { isLatchkeyError, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { defineFeature, getFeature } from '../../instance/feature.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { getAdapter, findNetwork } from '../../state/getAccount.ts'
import type { Outcome, Sent } from '../transfers.ts'
import { invalidateBalances } from '../../account/invalidateBalances.ts'
import { removePending, addPending, markPending, type Purpose } from './pendingTransactions.ts'

/** The timeout for a receipt [R9.1.4]. */
const receiptMilliseconds = 25_000

/** A transaction that a wallet sent, and its purpose. */
export type Followed = {
  readonly sent: Sent
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
  const name = `${chainId}/${sent.hash}`
  const outcomes = getFeature(latchkey, pendingOutcomes)
  const present = outcomes.get(name)
  if (present !== undefined) return present
  addPending(latchkey, {
    ...sent,
    chainId,
    from,
    what,
    replaces,
    since: latchkey.internal.clock.now(),
    status: 'pending',
  })
  const following = waitForOutcome(latchkey, followed, { timeout, signal })
    .then((outcome) => applyOutcome(latchkey, followed, outcome))
    .finally(() => outcomes.delete(name))
  outcomes.set(name, following)
  return following
}

/** Looks up a transaction again, for the given milliseconds, without a new entry. */
export async function checkOutcome(latchkey: Latchkey, followed: Followed, timeout: number): Promise<Outcome> {
  return applyOutcome(latchkey, followed, await waitForOutcome(latchkey, followed, { timeout }))
}

async function waitForOutcome(
  latchkey: Pick<Latchkey, 'adapters' | 'networks'>,
  { sent, chainId, from }: Followed,
  options: { timeout: number; signal?: AbortSignal },
): Promise<Outcome> {
  const { hash } = sent
  try {
    const adapter = getAdapter(latchkey, parseAccountId(from).namespace)
    const network = findNetwork(latchkey, chainId) ?? adapter.unknownNetwork(chainId)
    const transfers = await adapter.transfers?.()
    if (transfers !== undefined) return await transfers.follow(network, from, sent, options)
    const { blockNumber } = await adapter.waitForReceipt(network, hash, options)
    return { status: 'mined', hash, blockNumber }
  } catch (error) {
    if (isLatchkeyError(error, 'transaction/reverted')) {
      return { status: 'reverted', hash, reason: error.context.reason }
    }
    return { status: 'unknown', hash }
  }
}

/** Cached balances of the account are outdated. */
function applyOutcome(latchkey: Latchkey, { sent, chainId, from, replaces }: Followed, outcome: Outcome): Outcome {
  const { hash } = sent
  if (outcome.status === 'unknown') {
    markPending(latchkey, { hash, chainId }, 'unknown')
    return outcome
  }
  invalidateBalances(latchkey, from, chainId)
  removePending(latchkey, { hash, chainId })
  if (replaces !== undefined && outcome.status !== 'replaced') removePending(latchkey, { hash: replaces, chainId })
  latchkey.events.emit({ type: 'transaction', chainId, from, hash, status: outcome.status })
  return outcome
}
