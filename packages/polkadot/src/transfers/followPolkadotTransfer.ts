import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock } from '@latchkey/core'
import type { FollowOptions, Outcome, SubmittedTransaction } from '@latchkey/core/money'
import { parseAccountId, type AccountId } from '@latchkey/protocol'
import { parseSs58Address } from '../address/ss58Address.ts'
import { getFinalizedBlock } from '../chain/blocks.ts'
import type { Chain } from '../chain/requestPolkadotRpc.ts'
import type { Runtimes } from '../runtime/loadRuntime.ts'
import { findInclusion } from './findInclusion.ts'
import { readDispatchOutcome } from './readDispatchOutcome.ts'

/** Milliseconds between two requests. A block takes two to six seconds. */
const intervals = { firstIntervalMs: 1_000, intervalMs: 4_000 } as const

const expired = 'the transaction expired before the network included it'

/**
 * Waits until a finalized block contains a transfer, or another transaction of the sender with the same nonce, or until
 * the transfer can no longer be included. Failed requests to the chain are repeated.
 */
export async function followPolkadotTransfer(
  chain: Chain,
  runtimes: Runtimes,
  { from, sent, options }: { from: AccountId; sent: SubmittedTransaction; options: FollowOptions },
): Promise<Outcome> {
  const unknown: Outcome = { status: 'unknown', hash: sent.hash }
  const look = (): Promise<Outcome | undefined> => findOutcome(chain, runtimes, { from, sent })
  const lookOnce = async (): Promise<Outcome> => (await look()) ?? unknown
  const { clock = systemClock } = chain
  const outcome = await pollUntil(options.once === true ? lookOnce : look, { clock, ...intervals, ...options })
  return outcome ?? unknown
}

/** Returns the outcome of a transfer, or undefined if no finalized block decides it. */
async function findOutcome(
  chain: Chain,
  runtimes: Runtimes,
  { from, sent }: { from: AccountId; sent: SubmittedTransaction },
): Promise<Outcome | undefined> {
  const { hash, nonce, block, lastBlock, content } = sent
  if (nonce === undefined || block === undefined || lastBlock === undefined) return undefined
  const signer = parseSs58Address(parseAccountId(from).address)
  const finalized = await getFinalizedBlock(chain)
  const isExpired = finalized.number >= lastBlock
  const [first, last] = [block + 1n, isExpired ? lastBlock : finalized.number]
  if (last < first) return undefined
  const found = await findInclusion(chain, { hash, nonce, signer, first, last, isExpired })
  if (found === undefined) return isExpired ? { status: 'reverted', hash, reason: expired } : undefined
  if ('by' in found) {
    const isSame = content !== undefined && found.extrinsic.toLowerCase().endsWith(content.slice(2))
    return { status: 'replaced', hash, by: found.by, how: isSame ? 'repriced' : 'other' }
  }
  const reason = await readDispatchOutcome(chain, runtimes, found)
  return reason === undefined
    ? { status: 'mined', hash, blockNumber: found.block.number }
    : { status: 'reverted', hash, reason }
}
