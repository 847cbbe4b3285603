import { isLatchkeyError, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { companion } from '../../companion.ts'
import type { Latchkey } from '../../latchkey.ts'
import { adapterOf, findNetwork } from '../../state/wallet.ts'
import type { Outcome, Sent } from '../transfers.ts'
import { forgetBalances } from './forgetBalances.ts'
import { dropPending, keepPending, markPending, type Purpose } from './pendingTransactions.ts'

/** How long a receipt is waited for [R9.1.4]. */
const receiptMilliseconds = 25_000

/** A transaction that a wallet sent, and what it is for. */
export type Followed = {
  readonly sent: Sent
  readonly chainId: ChainId
  readonly from: AccountId
  readonly what: Purpose
  /** The hash of the transaction whose place it is to take. */
  readonly replaces?: string
}

const key = Symbol('followed transactions')

/**
 * Keeps a transaction on the list of those on their way until the chain tells how it ended, 25 seconds at most
 * [R9.1.4]. It never fails: a chain that cannot be asked tells nothing, so the outcome is `unknown`, and the
 * transaction stays on the list. Following one that is followed already gives the same answer.
 *
 * @example const { status } = await followTransaction(latchkey, { sent, chainId, from, what: { kind: 'swap' } })
 */
export function followTransaction(
  latchkey: Latchkey,
  followed: Followed,
  { timeout = receiptMilliseconds, signal }: { timeout?: number; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const { sent, chainId, from, what, replaces } = followed
  const name = `${chainId}/${sent.hash}`
  const under = companion(latchkey, key, () => new Map<string, Promise<Outcome>>())
  const present = under.get(name)
  if (present !== undefined) return present
  keepPending(latchkey, { ...sent, chainId, from, what, replaces, since: latchkey.clock.now(), status: 'pending' })
  const following = lookFor(latchkey, followed, { timeout, signal })
    .then((outcome) => settle(latchkey, followed, outcome))
    .finally(() => under.delete(name))
  under.set(name, following)
  return following
}

/** Looks once more, for so many milliseconds, without a new entry. */
export async function lookAgain(latchkey: Latchkey, followed: Followed, timeout: number): Promise<Outcome> {
  return settle(latchkey, followed, await lookFor(latchkey, followed, { timeout }))
}

async function lookFor(
  latchkey: Latchkey,
  { sent, chainId, from }: Followed,
  options: { timeout: number; signal?: AbortSignal },
): Promise<Outcome> {
  const { hash } = sent
  try {
    const adapter = adapterOf(latchkey, parseAccountId(from).namespace)
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

/** What was read of the account before is not true any more. */
function settle(latchkey: Latchkey, { sent, chainId, from, replaces }: Followed, outcome: Outcome): Outcome {
  const { hash } = sent
  if (outcome.status === 'unknown') {
    markPending(latchkey, { hash, chainId }, 'unknown')
    return outcome
  }
  forgetBalances(latchkey, { chainId, from })
  dropPending(latchkey, { hash, chainId })
  if (replaces !== undefined && outcome.status !== 'replaced') dropPending(latchkey, { hash: replaces, chainId })
  latchkey.events.emit({ type: 'transaction', chainId, from, hash, status: outcome.status })
  return outcome
}
