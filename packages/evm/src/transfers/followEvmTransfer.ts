import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock } from '@latchkey/core'
import type { Outcome, Sent } from '@latchkey/core/money'
import { parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import type { Client, Hash, TransactionReceipt } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { findRevertReason } from '../chain/revertReason.ts'
import { translateHash } from '../chain/waitForEvmReceipt.ts'
import type { TransferCall } from './transferCall.ts'
import {
  listBlockNumbers,
  isSentBy,
  hasSameContent,
  getBlockTransactions,
  getBlockNumber,
  parseBlockTransaction,
  getContent,
  type BlockTransaction,
} from './findSentTransaction.ts'
import { parseQuantity } from './transactionPlan.ts'

/** Milliseconds between two requests. The first ones are short, because some chains are fast. */
const intervals = { firstIntervalMs: 100, intervalMs: 1_000 } as const

/** The content of a transaction, without its sender and price. */
type TransactionContent = Omit<TransferCall, 'from'>

type FollowOptions = { timeout: number; signal?: AbortSignal }

/**
 * Waits for the outcome of a transaction. An endpoint that fails is asked again.
 */
export async function followEvmTransfer(
  clients: EvmClients,
  network: Network,
  {
    from,
    sent,
    options,
    call,
  }: { from: AccountId; sent: Sent; options: FollowOptions; call: TransactionContent | undefined },
): Promise<Outcome> {
  const client = getEvmClient(clients, network)
  const look = createOutcomeSearch(client, { clients, sender: parseAccountId(from).address, sent, call })
  const clock = clients.clock ?? systemClock
  const outcome = await pollUntil(look, { clock, ...intervals, ...options })
  return outcome ?? { status: 'unknown', hash: sent.hash }
}

/** Creates a function that looks once. It remembers the nonce and content of the transaction while the chain has them. */
function createOutcomeSearch(
  client: Client,
  {
    clients,
    sender,
    sent,
    call,
  }: { clients: EvmClients; sender: string; sent: Sent; call: TransactionContent | undefined },
): () => Promise<Outcome | undefined> {
  let content = call
  let nonce = sent.nonce
  let firstBlock: bigint | undefined

  return async () => {
    const hash = await translateHash(clients, sent.hash)
    const receipt = await getTransactionReceipt(client, { hash }).catch(() => undefined)
    if (receipt !== undefined) return getOutcome(client, receipt)
    const [latest, found] = await Promise.all([getBlockNumber(client), findTransaction(client, hash)])
    // A transaction that was mined between the two requests is in this block.
    firstBlock ??= latest
    // Another account sends the transaction of a contract wallet, so its nonce is irrelevant.
    if (found !== undefined && isSentBy(found, sender)) {
      nonce = found.nonce
      content = getContent(found)
    }
    if (nonce === undefined || latest === undefined || firstBlock === undefined) return undefined
    if (!(await isNonceUsed(client, sender, nonce))) return undefined
    // It may have been mined in the meantime.
    const late = await getTransactionReceipt(client, { hash }).catch(() => undefined)
    if (late !== undefined) return getOutcome(client, late)
    const other = await findReplacement(client, { sender, nonce, blocks: listBlockNumbers(firstBlock, latest) })
    return other === undefined ? undefined : describeReplacement(client, { hash: sent.hash, content, other })
  }
}

async function getOutcome(client: Client, receipt: TransactionReceipt): Promise<Outcome> {
  const { transactionHash: hash, blockNumber, status } = receipt
  if (status === 'success') return { status: 'mined', hash, blockNumber }
  return { status: 'reverted', hash, reason: await findRevertReason(client, receipt) }
}

/** True if the chain already includes a transaction with this nonce. */
async function isNonceUsed(client: Client, sender: string, nonce: number): Promise<boolean> {
  // The sender signed the transaction, so it is a valid address.
  const params = [sender as `0x${string}`, 'latest'] as const
  const count = parseQuantity(await client.request({ method: 'eth_getTransactionCount', params: [...params] }))
  return count !== undefined && count > BigInt(nonce)
}

async function findTransaction(client: Client, hash: Hash): Promise<BlockTransaction | undefined> {
  const response: unknown = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
  return parseBlockTransaction(response)[0]
}

async function findReplacement(
  client: Client,
  { sender, nonce, blocks }: { sender: string; nonce: number; blocks: readonly `0x${string}`[] },
): Promise<BlockTransaction | undefined> {
  for (const block of blocks) {
    const found = (await getBlockTransactions(client, block)).find(
      (each) => isSentBy(each, sender) && each.nonce === nonce,
    )
    if (found !== undefined) return found
  }
  return undefined
}

/** A transaction with the same content is the same payment, so its outcome counts. */
async function describeReplacement(
  client: Client,
  { hash, content, other }: { hash: string; content: TransactionContent | undefined; other: BlockTransaction },
): Promise<Outcome> {
  const by = other.hash
  if (content !== undefined && hasSameContent(other, content)) {
    const receipt = await getTransactionReceipt(client, { hash: by }).catch(() => undefined)
    const outcome = receipt === undefined ? undefined : await getOutcome(client, receipt)
    return outcome?.status === 'reverted' ? outcome : { status: 'replaced', hash, by, how: 'repriced' }
  }
  const isEmpty = other.to !== null && isSentBy(other, other.to) && other.value === 0n && other.input === '0x'
  return { status: 'replaced', hash, by, how: isEmpty ? 'cancelled' : 'other' }
}
