import type { Clock, Connection } from '@latchkey/core'
import type { Fee, SubmittedTransaction, Transfer } from '@latchkey/core/money'
import { inputError, isLatchkeyError, parseAccountId, type Network, requestError } from '@latchkey/protocol'
import type { Transaction } from '@scure/btc-signer'
import { isTaprootAddress } from '../address/isTaprootAddress.ts'
import { parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'
import { limitFeeRate } from '../chain/feeRate.ts'
import { findSentPayment, listTransactionIds } from './findSentPayment.ts'
import { listCoins, sumCoins } from './listCoins.ts'
import { payWithPsbt, type PayingWallet, type PaymentRequest, type RequestedPayment } from './payWithPsbt.ts'
import { isMissingMethod, requestPayment } from './requestPayment.ts'

/** Signed transactions that no node confirmed, by id. They stay in the memory of the page. */
export type UnsentTransactions = Map<string, Transaction>

type SendingWallet = {
  connection: Connection
  network: Network
  clock: Clock | undefined
  /** Receives a signed transaction that no node confirmed. */
  unsent: UnsentTransactions
}

/**
 * Asks the wallet to send a payment. If the wallet fails but may have sent it, the chain is searched: a payment that is
 * found counts as sent. A payment is never sent twice.
 *
 * @param fee the fee that the user saw. It decides the fee of payments that are composed here.
 * @throws LatchkeyError `address/invalid`, `amount/invalid`, `request/not-allowed` for ordinals addresses, `request/unknown`;
 * the errors of `requestPayment`
 */
export async function sendBitcoinTransfer(
  { connection, network, clock, unsent }: SendingWallet,
  transfer: Transfer,
  fee?: Fee,
): Promise<SubmittedTransaction> {
  const { from, to, asset, amount } = transfer
  if (asset.address !== undefined) throw inputError('address/invalid', { namespace: 'bip122', value: asset.address })
  if (amount <= 0n) throw inputError('amount/invalid', { value: String(amount) })
  const { address } = parseAccountId(from)
  const receiver = parseBitcoinAddress(network.caipNetworkId, to)
  // Outputs of such an address carry inscriptions, even outside the recognised amounts.
  if (connection.details?.(from)?.type === 'ordinals') {
    throw requestError('request/not-allowed', { method: 'sendTransfer from an ordinals address' })
  }
  const wallet: PayingWallet = { connection, account: from, network, clock }
  const request: PaymentRequest = {
    to: receiver,
    value: amount,
    ...(fee?.price === undefined ? {} : { feeRate: limitFeeRate(fee.price), mostFee: fee.value }),
  }
  const [before, isWhole] = await Promise.all([
    listTransactionIds(network, address, clock).catch(() => undefined),
    fee !== undefined && isWholeBalance(wallet, amount + fee.value),
  ])
  const content = formatContent(amount, receiver)
  try {
    const payment = await (isWhole ? payWholeBalance : requestPayment)(wallet, request)
    const { txid, spends } = payment
    if (payment.unsent !== undefined) unsent.set(txid, payment.unsent)
    const unconfirmed = payment.unsent === undefined ? {} : { isUnconfirmed: true }
    return { hash: txid, content, ...(spends === undefined ? {} : { spends }), ...unconfirmed }
  } catch (error) {
    if (!mayHaveBeenSent(error)) throw error
    const found = before && (await findSentPayment(network, { from: address, to: receiver, amount, before }, clock))
    if (found !== undefined) return { hash: found.txid, content, ...spendsOf(found.inputs) }
    if (isLatchkeyError(error, 'request/unknown')) throw error
    throw requestError('request/unknown', { method: 'sendTransfer' }, { cause: error })
  }
}

/** True if a payment and its fee take exactly all coins. Addresses of Taproot are left to the wallet, which knows what they hold. */
async function isWholeBalance({ account, network, clock }: PayingWallet, needed: bigint): Promise<boolean> {
  const { address } = parseAccountId(account)
  if (isTaprootAddress(address)) return false
  const holdings = await listCoins(network, address, clock).catch(() => undefined)
  return holdings !== undefined && holdings.coins.length > 0 && needed === sumCoins(holdings.coins)
}

/** A wallet that chooses the fee itself would refuse: the amount leaves exactly the estimated fee. */
async function payWholeBalance(wallet: PayingWallet, request: PaymentRequest): Promise<RequestedPayment> {
  try {
    return await payWithPsbt(wallet, request)
  } catch (error) {
    if (!isMissingMethod(error)) throw error
    return requestPayment(wallet, request)
  }
}

/** Formats the output of a payment, to recognise the same payment under another hash. */
export function formatContent(amount: bigint, receiver: string): string {
  return `${amount}:${receiver}`
}

function spendsOf([input]: readonly { readonly spends: string | undefined }[]): Pick<SubmittedTransaction, 'spends'> {
  return input?.spends === undefined ? {} : { spends: input.spends }
}

/** Messages of failures before sending. */
const notSentPattern = /insufficient|not enough|balance|dust|no method|unsupported|not supported|access denied/i

/** Codes of failures before sending (EIP-1193, JSON-RPC, sats-connect). */
const notSentCodes: readonly (number | undefined)[] = [4100, 4200, -32_001, -32_002, -32_600, -32_601, -32_602]

/** True if the wallet may have sent the payment despite the error, for example after a timeout. */
function mayHaveBeenSent(error: unknown): boolean {
  if (isLatchkeyError(error, 'request/unknown')) return true
  // A wallet that only signs sends nothing.
  if (isLatchkeyError(error, 'wallet/invalid-response')) return error.context.method !== 'signPsbt'
  if (!isLatchkeyError(error, 'request/failed')) return false
  const { code, reason } = error.context
  return !notSentCodes.includes(code) && !notSentPattern.test(reason)
}
