import { requestFromWallet } from '@latchkey/core/internal'
import type { Clock, Connection } from '@latchkey/core'
import type { SubmittedTransaction, Transfers } from '@latchkey/core/money'
import { createErrors, isLatchkeyError, parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import {
  isHash,
  isHex,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  type Client,
  type Hash,
  type Hex,
} from 'viem'
import { sendEvmTransaction } from '../wallet/sendEvmTransaction.ts'
import { toHexChainId } from '../chain/evmChainId.ts'
import {
  findTransaction,
  isSentBy,
  hasSameContent,
  parseBlockTransaction,
  getContent,
  type BlockTransaction,
} from './findSentTransaction.ts'
import { getGasPrice, parseQuantity, formatGasPrice, type GasPrice } from './transactionPlan.ts'

const replaceError = createErrors({
  'transaction/not-replaceable': ({ hash }) =>
    `The transaction ${hash} cannot be replaced here. It may be mined by now. Try to replace it in the wallet.`,
})

/** Nodes require a tenth more than before. Most wallets raise the price by an eighth. */
const raise = { of: 9n, per: 8n } as const

type PendingTransaction = BlockTransaction & { price: GasPrice; gas: bigint }
type ReplaceRequest = { network: Network; from: AccountId; sent: SubmittedTransaction }

/**
 * Replaces a pending transaction with one of the same nonce and a higher price.
 *
 * @param how `cancel` sends an empty transaction instead, anything else sends the same payment
 * @throws LatchkeyError `transaction/not-replaceable`, `request/rejected`
 */
export function replaceTransfer(
  connection: Connection,
  client: Client,
  request: ReplaceRequest,
  { how, clock }: { how: Parameters<NonNullable<Transfers['replace']>>[4]; clock: Clock },
): Promise<SubmittedTransaction> {
  if (how === 'cancel') return cancelTransfer(connection, client, request, clock)
  return repriceTransfer(connection, client, request)
}

/** The method that `repriceTransfer` needs. */
const signingMethod = 'eth_signTransaction'

/** True if the wallet approved to sign transactions without sending them. Extensions don't report it; most refuse. */
export function canSpeedUp({ methods = [] }: Pick<Connection, 'methods'>): boolean {
  return methods.includes(signingMethod)
}

/**
 * Cancels a transaction. An empty transaction to the sender takes its nonce at a higher price. Some wallets ignore the
 * nonce of a request. That costs a fee and cancels nothing, so the nonce that the wallet used is read from the chain.
 *
 * @returns without a nonce if the chain does not show the cancellation yet
 * @throws LatchkeyError `transaction/not-replaceable`, `request/rejected`
 */
async function cancelTransfer(
  connection: Connection,
  client: Client,
  request: ReplaceRequest,
  clock: Clock,
): Promise<SubmittedTransaction> {
  const { from, sent } = request
  const pending = await requirePending(client, request)
  const fixed = { nonce: numberToHex(pending.nonce), gas: numberToHex(21_000n), ...formatGasPrice(pending.price) }
  const empty = { to: parseAccountId(from).address, value: 0n, data: undefined }
  const hash = await sendEvmTransaction(connection, from, empty, fixed)
  const nonce = await readNonce(client, hash, clock)
  if (nonce !== undefined && nonce !== pending.nonce) {
    throw replaceError('transaction/not-replaceable', { hash: sent.hash })
  }
  return { hash, nonce }
}

/** Milliseconds before each look: nodes show a new transaction with a delay. */
const pausesMs: readonly number[] = [0, 200, 400, 800]

/** Reads the nonce of a new transaction, or undefined if the node does not know it. */
async function readNonce(client: Client, hash: Hash, clock: Clock): Promise<number | undefined> {
  for (const pause of pausesMs) {
    if (pause > 0) await new Promise<void>((resolve) => void clock.after(pause, resolve))
    const found = await findTransaction(client, hash).catch(() => undefined)
    if (found !== undefined) return found.nonce
  }
  return undefined
}

/**
 * Sends a transaction again with the same nonce and a higher price. The wallet is asked only to sign. The signed transaction
 * is sent only with the same nonce: with another one, it would be a second payment. Most extensions don't sign without
 * sending, and have their own button for this.
 *
 * @throws LatchkeyError `transaction/not-replaceable`, `request/rejected`
 */
async function repriceTransfer(
  connection: Connection,
  client: Client,
  request: ReplaceRequest,
): Promise<SubmittedTransaction> {
  const { from, sent, network } = request
  const pending = await requirePending(client, request)
  const { address } = parseAccountId(from)
  const transaction = {
    from: address,
    to: pending.to,
    value: numberToHex(pending.value),
    data: pending.input,
    nonce: numberToHex(pending.nonce),
    gas: numberToHex(pending.gas),
    chainId: toHexChainId(network.caipNetworkId),
    ...formatGasPrice(pending.price),
  }
  const signing = requestFromWallet(connection, { method: signingMethod, params: [transaction] })
  const response = await signing.catch((error: unknown) => {
    if (isLatchkeyError(error, 'request/rejected')) throw error
    throw replaceError('transaction/not-replaceable', { hash: sent.hash }, { cause: error })
  })
  const raw = isHex(response) ? response : Object(response).raw
  if (!isHex(raw) || !(await isSamePayment(raw, pending, address))) {
    throw replaceError('transaction/not-replaceable', { hash: sent.hash })
  }
  const hash = await client.request({ method: 'eth_sendRawTransaction', params: [raw] }).catch((error: unknown) => {
    throw replaceError('transaction/not-replaceable', { hash: sent.hash }, { cause: error })
  })
  return { hash, nonce: pending.nonce }
}

/** True if the signed transaction is the same payment, with the same nonce and from the same account. */
async function isSamePayment(raw: Hex, pending: PendingTransaction, address: string): Promise<boolean> {
  try {
    const { to, value = 0n, data = '0x', nonce = 0 } = parseTransaction(raw)
    // The transaction was parsed, so it is a signed transaction.
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    const same = hasSameContent({ to: to ?? null, value, input: data }, getContent(pending))
    return same && nonce === pending.nonce && isSentBy({ from: signer }, address)
  } catch {
    return false
  }
}

/** Reads the pending transaction, with the price that its replacement needs. */
async function requirePending(client: Client, { network, from, sent }: ReplaceRequest): Promise<PendingTransaction> {
  const { hash } = sent
  const notReplaceable = (cause?: unknown): Error => replaceError('transaction/not-replaceable', { hash }, { cause })
  if (!isHash(hash)) throw notReplaceable()
  const response: unknown = await client
    .request({ method: 'eth_getTransactionByHash', params: [hash] })
    .catch((error: unknown) => {
      throw notReplaceable(error)
    })
  const [listed] = parseBlockTransaction(response)
  const fields = Object(response)
  if (listed === undefined || parseQuantity(fields.blockNumber) !== undefined) throw notReplaceable()
  if (!isSentBy(listed, parseAccountId(from).address)) throw notReplaceable()
  const price = raisePrice(parseGasPrice(fields), await getGasPrice(client, network))
  return { ...listed, price, gas: parseQuantity(fields.gas) ?? 21_000n }
}

function parseGasPrice(fields: Record<string, unknown>): GasPrice {
  const maxFeePerGas = parseQuantity(fields['maxFeePerGas'])
  const tip = parseQuantity(fields['maxPriorityFeePerGas'])
  if (maxFeePerGas !== undefined && tip !== undefined) return { maxFeePerGas, maxPriorityFeePerGas: tip }
  return { gasPrice: parseQuantity(fields['gasPrice']) ?? 0n }
}

/** Raises a price by an eighth, or to the current price if that is higher. */
function raisePrice(old: GasPrice, now: GasPrice): GasPrice {
  const higher = (before: bigint, present: bigint): bigint => {
    const raised = (before * raise.of) / raise.per + 1n
    return raised > present ? raised : present
  }
  if ('gasPrice' in old) return { gasPrice: higher(old.gasPrice, 'gasPrice' in now ? now.gasPrice : now.maxFeePerGas) }
  const [fee, tip] = 'gasPrice' in now ? [now.gasPrice, 0n] : [now.maxFeePerGas, now.maxPriorityFeePerGas]
  return {
    maxFeePerGas: higher(old.maxFeePerGas, fee),
    maxPriorityFeePerGas: higher(old.maxPriorityFeePerGas, tip),
  }
}
