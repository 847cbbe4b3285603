import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock } from '@latchkey/core'
import type { FollowOptions, Outcome, SubmittedTransaction } from '@latchkey/core/money'
import { parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import { numberToHex, type Address, type Client, type Hex, type TransactionReceipt } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { getEvmClient, type EvmClients } from '../chain/evmClients.ts'
import { findRevertReason } from '../chain/revertReason.ts'
import { translateHash } from '../chain/waitForEvmReceipt.ts'
import {
  listBlockNumbers,
  isSentBy,
  getBlockTransactions,
  getBlockNumber,
  digestContent,
  findTransaction,
  type BlockTransaction,
} from './findSentTransaction.ts'
import { parseQuantity } from './transactionPlan.ts'

/** Milliseconds between two requests. The first ones are short, because some chains are fast. */
const intervals = { firstIntervalMs: 100, intervalMs: 1_000 } as const

/** The number of blocks before the first known one that may already include a transaction. */
const earlierBlocks = 30n

/**
 * Waits for the outcome of a transaction. Failed requests are repeated.
 */
export async function followEvmTransfer(
  clients: EvmClients,
  network: Network,
  { from, sent, options }: { from: AccountId; sent: SubmittedTransaction; options: FollowOptions },
): Promise<Outcome> {
  const client = getEvmClient(clients, network)
  const unknown: Outcome = { status: 'unknown', hash: sent.hash }
  const look = createOutcomeSearch(client, { clients, from, sent, onFound: options.onFound })
  const lookOnce = async (): Promise<Outcome> => (await look()) ?? unknown
  const clock = clients.clock ?? systemClock
  const outcome = await pollUntil(options.once === true ? lookOnce : look, { clock, ...intervals, ...options })
  return outcome ?? unknown
}

type OutcomeSearch = {
  clients: EvmClients
  from: AccountId
  sent: SubmittedTransaction
  onFound: FollowOptions['onFound']
}

/** Creates a function that looks once. It remembers the nonce and content of the transaction while the chain has them. */
function createOutcomeSearch(
  client: Client,
  { clients, from, sent, onFound }: OutcomeSearch,
): () => Promise<Outcome | undefined> {
  const sender = parseAccountId(from).address
  let known = sent
  const learn = (found: Partial<SubmittedTransaction>): void => {
    const next = { ...known, ...found }
    const isNew = (['nonce', 'expectedNonce', 'block', 'content'] as const).some((key) => next[key] !== known[key])
    known = next
    if (isNew) onFound?.(known)
  }

  return async () => {
    const hash = await translateHash(clients, sent.hash)
    const receipt = await getTransactionReceipt(client, { hash }).catch(() => undefined)
    if (receipt !== undefined) {
      // A wallet may have used another nonce than requested. The mined one decides what else is settled.
      const mined = known.nonce === undefined ? await findTransaction(client, hash).catch(() => undefined) : undefined
      if (mined !== undefined && isSentBy(mined, sender)) learn({ nonce: mined.nonce })
      return getOutcome(client, receipt)
    }
    const [latest, found] = await Promise.all([getBlockNumber(client), findTransaction(client, hash)])
    // Another account sends the transaction of a contract wallet, so its nonce is irrelevant.
    const isOwn = found !== undefined && isSentBy(found, sender)
    learn({
      // A transaction that was mined between the two requests is in this block.
      block: known.block ?? latest,
      ...(isOwn ? { nonce: found.nonce, content: digestContent(found) } : {}),
    })
    const { block } = known
    // Without the exact nonce, the expected one leads to a replacement.
    const nonce = known.nonce ?? known.expectedNonce
    if (nonce === undefined || latest === undefined || block === undefined) return undefined
    if (!(await isNonceUsed(client, { sender, nonce, block: 'latest' }))) return undefined
    // It may have been mined in the meantime.
    const late = await getTransactionReceipt(client, { hash }).catch(() => undefined)
    if (late !== undefined) return getOutcome(client, late)
    const other = await findReplacement(client, { sender, nonce, first: block, latest })
    if (other === undefined || other.hash === hash) return undefined
    const outcome = await describeReplacement(client, { hash: sent.hash, content: known.content, other })
    if (known.nonce !== undefined || outcome.status !== 'replaced' || outcome.how !== 'other') return outcome
    // Another transaction took the expected nonce, so this one may have a later nonce and can still be mined.
    learn({ expectedNonce: undefined })
    return undefined
  }
}

async function getOutcome(client: Client, receipt: TransactionReceipt): Promise<Outcome> {
  const { transactionHash: hash, blockNumber, status } = receipt
  if (status === 'success') return { status: 'mined', hash, blockNumber }
  return { status: 'reverted', hash, reason: (await findRevertReason(client, receipt)).reason }
}

/** True if the chain includes a transaction with this nonce up to a block. */
async function isNonceUsed(
  client: Client,
  { sender, nonce, block }: { sender: string; nonce: number; block: 'latest' | Hex },
): Promise<boolean> {
  // The sender signed the transaction, so it is a valid address.
  const params = [sender as Address, block] as const
  const count = parseQuantity(await client.request({ method: 'eth_getTransactionCount', params: [...params] }))
  return count !== undefined && count > BigInt(nonce)
}

type NonceSearch = { sender: string; nonce: number; first: bigint; latest: bigint }

/** Finds the mined transaction with a nonce: in the block where the account's count passed it, or in the latest blocks. */
async function findReplacement(client: Client, search: NonceSearch): Promise<BlockTransaction | undefined> {
  const { sender, nonce, first, latest } = search
  const block = await findNonceBlock(client, search).catch(() => undefined)
  const blocks = [...(block === undefined ? [] : [numberToHex(block)]), ...listBlockNumbers(first, latest)]
  for (const each of blocks) {
    const found = (await getBlockTransactions(client, each)).find(
      (transaction) => isSentBy(transaction, sender) && transaction.nonce === nonce,
    )
    if (found !== undefined) return found
  }
  return undefined
}

/** Finds the block by bisection. A node without the state of old blocks refuses, so its latest blocks are read instead. */
async function findNonceBlock(client: Client, { sender, nonce, first, latest }: NonceSearch): Promise<bigint> {
  let low = first > earlierBlocks ? first - earlierBlocks : 0n
  let high = latest
  while (low < high) {
    const middle = (low + high) / 2n
    if (await isNonceUsed(client, { sender, nonce, block: numberToHex(middle) })) high = middle
    else low = middle + 1n
  }
  return low
}

/** A transaction with the same content is the same payment, so its outcome counts. */
async function describeReplacement(
  client: Client,
  { hash, content, other }: { hash: string; content: string | undefined; other: BlockTransaction },
): Promise<Outcome> {
  const by = other.hash
  if (content === digestContent(other)) {
    const receipt = await getTransactionReceipt(client, { hash: by }).catch(() => undefined)
    const outcome = receipt === undefined ? undefined : await getOutcome(client, receipt)
    return outcome?.status === 'reverted' ? outcome : { status: 'replaced', hash, by, how: 'repriced' }
  }
  const isEmpty = other.to !== null && isSentBy(other, other.to) && other.value === 0n && other.input === '0x'
  return { status: 'replaced', hash, by, how: isEmpty ? 'cancelled' : 'other' }
}
