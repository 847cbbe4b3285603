import { isRecord, type Network } from '@latchkey/protocol'
import { base64 } from '@scure/base'
import { getTransactionEncoder } from '@solana/kit'
import { RpcError } from '../../rpcError.ts'
import type { Fee } from '../transactionSummary.ts'
import { requestSolana, requestSolanaValue, describeFailure } from './requestSolana.ts'
import type { SolanaTransaction } from './solanaTransaction.ts'

/**
 * Simulates a transaction and estimates its fee.
 *
 * @throws RpcError with the network's reason if the transaction would fail, -32603 if the network doesn't respond
 */
export async function estimateFee(network: Network, { transaction }: SolanaTransaction): Promise<Fee> {
  const wire = base64.encode(new Uint8Array(getTransactionEncoder().encode(transaction)))
  const message = base64.encode(new Uint8Array(transaction.messageBytes))
  const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true }
  const [tried, fee] = await Promise.all([
    requestSolanaValue(network, 'simulateTransaction', [wire, config]),
    requestSolanaValue(network, 'getFeeForMessage', [message]),
  ])
  const { err, logs } = isRecord(tried) ? tried : {}
  if (err !== undefined && err !== null) {
    throw new RpcError(-32002, describeFailure(JSON.stringify(err), Array.isArray(logs) ? logs : []))
  }
  return { maximum: typeof fee === 'number' ? BigInt(fee) : 0n }
}

/**
 * Broadcasts a signed transaction.
 *
 * @returns the signature, once the network accepts the transaction
 * @throws RpcError with the network's reason, or -32603 if the network doesn't respond
 */
export async function sendSolanaTransaction(network: Network, wire: string, sendOptions: unknown): Promise<string> {
  const options = isRecord(sendOptions) ? sendOptions : {}
  return String(await requestSolana(network, 'sendTransaction', [wire, { ...options, encoding: 'base64' }]))
}
