import type { Clock, Connection } from '@latchkey/core'
import type { SubmittedTransaction, Transfer, TransactionOrigin } from '@latchkey/core/money'
import { isLatchkeyError, requestError } from '@latchkey/protocol'
import { numberToHex, type Client } from 'viem'
import { sendEvmTransaction } from '../wallet/sendEvmTransaction.ts'
import { toTransferCall, toTransferRequest } from './transferCall.ts'
import { digestCall, findSentTransaction, getChainPosition } from './findSentTransaction.ts'
import { formatGasPrice, type TransactionPlan } from './transactionPlan.ts'

/**
 * Asks the wallet to send a transfer. If the wallet fails but may have sent it, the chain is searched: a payment that is
 * found counts as sent.
 *
 * @param plan the gas limit and price; without it, the wallet chooses
 * @throws LatchkeyError `request/rejected`, `request/failed` if it was certainly not sent, `request/unknown` otherwise
 */
export async function sendEvmTransfer(
  connection: Connection,
  client: Client,
  { transfer, plan, clock }: { transfer: Transfer; plan: TransactionPlan | undefined; clock: Clock },
): Promise<SubmittedTransaction> {
  const call = toTransferCall(transfer)
  let origin: TransactionOrigin = { content: digestCall(call) }
  // Requested while the wallet works. A wallet that fails may have sent the payment after this position.
  const before = getChainPosition(client, call.from).catch(() => undefined)
  void before.then((position) => {
    if (position !== undefined) origin = { ...origin, block: position.block, expectedNonce: position.count }
  })
  const fixed = plan === undefined ? {} : { gas: numberToHex(plan.gas), ...formatGasPrice(plan.price) }
  try {
    const hash = await sendEvmTransaction(connection, transfer.from, toTransferRequest(transfer), fixed)
    return { hash, ...origin }
  } catch (error) {
    if (!mayHaveBeenSent(error)) throw error
    const hash = await findSentTransaction(client, {
      call,
      before: await before,
      clock,
    }).catch(() => undefined)
    if (hash !== undefined) return { hash, ...origin }
    const unknown = requestError('request/unknown', { method: 'eth_sendTransaction' }, { cause: error })
    throw isLatchkeyError(error, 'request/unknown') ? error : unknown
  }
}

/** Messages of failures before sending: no funds, an expected revert, a used nonce, a missing chain. */
const notSentPattern =
  /insufficient|exceeds balance|revert|nonce (too|provided)|underpriced|intrinsic gas|gas (limit|required)|another chain|not been authori[sz]ed|no method|unsupported|not supported|unrecogni[sz]ed|earlier request|not connected to this chain/i

/** Codes of failures before sending (EIP-1193, EIP-1474). */
const notSentCodes: readonly (number | undefined)[] = [
  4100, 4200, 4900, 4901, 4902, -32002, -32004, -32600, -32601, -32602,
]

/** True if the wallet may have sent the transaction despite the error, for example after a timeout. */
function mayHaveBeenSent(error: unknown): boolean {
  if (isLatchkeyError(error, 'request/unknown') || isLatchkeyError(error, 'wallet/invalid-response')) return true
  if (!isLatchkeyError(error, 'request/failed')) return false
  const { code, reason } = error.context
  return !notSentCodes.includes(code) && !notSentPattern.test(reason)
}
