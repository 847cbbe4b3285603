import type { Clock, Connection } from '@latchkey/core'
import type { Sent, Transfer } from '@latchkey/core/money'
import { isLatchkeyError, LatchkeyError } from '@latchkey/protocol'
import { numberToHex, type Client } from 'viem'
import { sendTransaction } from '../sendTransaction.ts'
import { callOf, requestOf } from './callOf.ts'
import { findSent, readStanding } from './findSent.ts'
import { writePrice, type Plan } from './plan.ts'

/**
 * Asks the wallet to send a transfer. A wallet that fails in a way that leaves open whether it sent it is not believed:
 * the chain is asked, and when the payment is there, it counts.
 *
 * @param plan what it is to be sent with; left to the wallet when undefined
 * @throws LatchkeyError `request/rejected`, `request/failed` when it was certainly not sent, `request/unknown` when nobody
 * can tell.
 */
export async function sendTransfer(
  connection: Connection,
  reader: Client,
  { transfer, plan, clock }: { transfer: Transfer; plan: Plan | undefined; clock: Clock },
): Promise<Sent> {
  const { from } = callOf(transfer)
  // Asked beside the wallet, which takes longer: it is needed only when the wallet fails.
  const before = readStanding(reader, from).catch(() => undefined)
  const fixed = plan === undefined ? {} : { gas: numberToHex(plan.gas), ...writePrice(plan.price) }
  try {
    return { hash: await sendTransaction(connection, transfer.from, requestOf(transfer), fixed) }
  } catch (error) {
    if (!leavesOpen(error)) throw error
    const hash = await findSent(reader, { call: callOf(transfer), before: await before, clock }).catch(() => undefined)
    if (hash !== undefined) return { hash }
    const unknown = new LatchkeyError('request/unknown', { method: 'eth_sendTransaction' }, { cause: error })
    throw isLatchkeyError(error, 'request/unknown') ? error : unknown
  }
}

/** What wallets and nodes say when nothing was sent: no funds, a revert foreseen, a number used, a chain not there. */
const certain =
  /insufficient|exceeds balance|revert|nonce too|underpriced|intrinsic gas|gas (limit|required)|another chain|not been authori[sz]ed|no method|unsupported|not supported|unrecogni[sz]ed|earlier request|not connected to this chain/i

/** Node's and wallet's own codes of requests that were never begun (EIP-1193, EIP-1474). */
const certainCodes: readonly (number | undefined)[] = [
  4100, 4200, 4900, 4901, 4902, -32002, -32004, -32600, -32601, -32602,
]

/** Whether a transaction may be on its way in spite of a failure: a time-out after it was broadcast looks like any other. */
function leavesOpen(error: unknown): boolean {
  if (isLatchkeyError(error, 'request/unknown') || isLatchkeyError(error, 'wallet/invalid-answer')) return true
  if (!isLatchkeyError(error, 'request/failed')) return false
  const { code, reason } = error.context
  return !certainCodes.includes(code) && !certain.test(reason)
}
