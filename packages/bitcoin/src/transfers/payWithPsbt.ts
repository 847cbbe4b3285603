import type { Clock, Connection } from '@latchkey/core'
import { type AccountId, createErrors, type Network, type LatchkeyError, requestError } from '@latchkey/protocol'
import { base64 } from '@scure/base'
import type { Transaction } from '@scure/btc-signer'
import { getFeeRate } from '../chain/feeRate.ts'
import { requestPsbtSignature } from '../wallet/requestPsbtSignature.ts'
import { broadcastTransaction } from './broadcastTransaction.ts'
import { composePayment, type PaymentPlan } from './composePayment.ts'
import { finalizePayment } from './finalizePayment.ts'
import { listCoins } from './listCoins.ts'
import { getPayer, getReceiverScript } from './payer.ts'
import { selectCoins } from './selectCoins.ts'

const paymentError = createErrors<'transaction/changed'>({
  'transaction/changed': ({ wallet }) =>
    `${wallet} signed another payment than the requested one, or only a part of it. Nothing was sent.`,
})

/** The wallet that pays, and the network to pay on. */
export type PayingWallet = {
  readonly connection: Connection
  readonly account: AccountId
  readonly network: Network
  readonly clock: Clock | undefined
}

/** A payment in satoshis. */
export type PaymentRequest = {
  readonly to: string
  readonly value: bigint
  /** Satoshis per 1,000 virtual bytes; the current rate by default. */
  readonly feeRate?: bigint
  /** The highest fee that the payer agreed to, in satoshis; any fee at the rate by default. */
  readonly mostFee?: bigint
}

/** A payment that was handed to the network. */
export type RequestedPayment = {
  readonly txid: string
  /** The first output that it spends, as `txid:index`, if known. */
  readonly spends?: string
  /** The signed transaction, if no node confirmed that it received it. It can be sent again. */
  readonly unsent?: Transaction
}

/**
 * Pays with a transaction that the wallet only signs (BIP-174). What the wallet returns is sent only if it is exactly the
 * requested payment.
 *
 * @throws LatchkeyError `transaction/changed`, `rpc/failed` if the network refused it, `rpc/unreachable`, `request/failed` if
 * the coins don't suffice; the errors of `requestPsbtSignature`
 */
export async function payWithPsbt(wallet: PayingWallet, request: PaymentRequest): Promise<RequestedPayment> {
  const { connection, account, network, clock } = wallet
  const plan = await planPayment(wallet, request)
  const unsigned = await composePayment(network, plan, clock)
  const inputs = plan.coins.map((_, index) => ({ index }))
  const psbt = base64.encode(unsigned.toPSBT())
  const { psbt: signed } = await requestPsbtSignature(connection, account, { psbt, inputs })
  const transaction = finalizePayment(unsigned, signed)
  if (transaction === undefined) throw paymentError('transaction/changed', { wallet: connection.wallet.name })
  const [first] = plan.coins
  const status = await broadcastTransaction(network, transaction, clock)
  return {
    txid: transaction.id,
    ...(first === undefined ? {} : { spends: `${first.txid}:${first.index}` }),
    ...(status === 'sent' ? {} : { unsent: transaction }),
  }
}

async function planPayment(
  { connection, account, network, clock }: PayingWallet,
  { to, value, feeRate, mostFee }: PaymentRequest,
): Promise<PaymentPlan> {
  const payer = getPayer(network, account)
  const receiverScript = getReceiverScript(network, to)
  const [{ coins }, rate] = await Promise.all([
    listCoins(network, payer.address, clock),
    feeRate ?? getFeeRate(network, clock),
  ])
  const selection = selectCoins(coins, { payer, receiverScript, amount: value, feeRate: rate })
  if (selection === undefined)
    throw createRefusal('insufficient balance: the address holds less than the payment and its fee')
  // Other coins than at the review may need more inputs.
  if (mostFee !== undefined && selection.fee > mostFee)
    throw createRefusal('insufficient fee: it rose since the review')
  return { ...selection, payer, publicKey: connection.details?.(account)?.publicKey, receiverScript, amount: value }
}

/** The error for a payment that was not requested from the wallet. */
function createRefusal(reason: string): LatchkeyError {
  return requestError('request/failed', { method: 'sendTransfer', code: -32_000, reason })
}
