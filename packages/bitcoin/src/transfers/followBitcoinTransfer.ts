import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock, type Clock } from '@latchkey/core'
import type { Finality, FollowOptions, Outcome, SubmittedTransaction } from '@latchkey/core/money'
import { type AccountId, type Network, networkError, parseAccountId } from '@latchkey/protocol'
import { findConfirmedSpender, getChainTransaction, type ChainTransaction } from '../chain/chainTransaction.ts'
import { requestEsplora } from '../chain/esplora.ts'
import { broadcastTransaction } from './broadcastTransaction.ts'
import { formatContent, type UnsentTransactions } from './sendBitcoinTransfer.ts'

/** Milliseconds between two requests. Bitcoin has a block every ten minutes. */
const intervals = { firstIntervalMs: 1_000, intervalMs: 5_000 } as const

/** A block with this many blocks on top, itself included, counts as final. */
const finalDepth = 6n

/**
 * Waits until a payment is in a block, or another transaction that spends the same output is. Failed requests are
 * repeated. A payment that no node confirmed is sent again: it can't pay twice, because it spends the same outputs.
 *
 * @param unsent the signed transactions that no node confirmed
 */
export async function followBitcoinTransfer(
  { clock = systemClock, unsent }: { clock: Clock | undefined; unsent: UnsentTransactions },
  network: Network,
  { from, sent, options }: { from: AccountId; sent: SubmittedTransaction; options: FollowOptions },
): Promise<Outcome> {
  const unknown: Outcome = { status: 'unknown', hash: sent.hash }
  let known = sent
  const look = async (): Promise<Outcome | undefined> => {
    const transaction = await getChainTransaction(network, known.hash, clock)
    if (transaction === undefined) {
      const replacement = await findReplacement(network, { from, sent: known, clock })
      if (replacement === undefined) await sendAgain({ network, clock, unsent }, known.hash)
      return replacement
    }
    unsent.delete(known.hash)
    const { height, inputs } = transaction
    if (height !== undefined) return { status: 'mined', hash: known.hash, blockNumber: height }
    const spends = inputs.find((input) => input.spends !== undefined)?.spends
    if (known.spends === undefined && spends !== undefined) {
      known = { ...known, spends }
      options.onFound?.(known)
    }
    return undefined
  }
  const lookOnce = async (): Promise<Outcome> => (await look()) ?? unknown
  const outcome = await pollUntil(options.once === true ? lookOnce : look, { clock, ...intervals, ...options })
  return outcome ?? unknown
}

/** A refusal may end, for example if the network's lowest fee rate falls, so the transaction is kept. */
async function sendAgain(
  { network, clock, unsent }: { network: Network; clock: Clock; unsent: UnsentTransactions },
  txid: string,
): Promise<void> {
  const transaction = unsent.get(txid)
  if (transaction === undefined) return
  const status = await broadcastTransaction(network, transaction, clock).catch(() => 'unknown' as const)
  if (status === 'sent') unsent.delete(txid)
}

/** Finds the transaction in a block that spends the output which the missing payment spent (BIP-125). */
async function findReplacement(
  network: Network,
  { from, sent, clock }: { from: AccountId; sent: SubmittedTransaction; clock: Clock },
): Promise<Outcome | undefined> {
  const { hash, spends, content } = sent
  const other = spends === undefined ? undefined : await findConfirmedSpender(network, spends, clock)
  if (other === undefined || other.txid === hash.toLowerCase()) return undefined
  return { status: 'replaced', hash, by: other.txid, how: describeReplacement(other, { from, content }) }
}

function describeReplacement(
  { outputs }: ChainTransaction,
  { from, content }: { from: AccountId; content: string | undefined },
): 'repriced' | 'cancelled' | 'other' {
  const own = parseAccountId(from).address
  const pays = outputs.map(({ address, amount }) =>
    address === undefined || amount === undefined ? '' : formatContent(amount, address),
  )
  if (content !== undefined && pays.includes(content)) return 'repriced'
  return outputs.every(({ address }) => address === own) ? 'cancelled' : 'other'
}

/**
 * Looks up a mined payment again.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function getBitcoinFinality(clock: Clock | undefined, network: Network, hash: string): Promise<Finality> {
  const height = (await getChainTransaction(network, hash, clock))?.height
  if (height === undefined) return 'missing'
  const tip = Number(await requestEsplora(network, { path: 'blocks/tip/height' }, clock))
  if (!Number.isSafeInteger(tip) || tip < 1) throw networkError('rpc/unreachable', { network: network.name })
  return BigInt(tip) - height + 1n >= finalDepth ? 'final' : 'mined'
}
