import type { Network } from '@latchkey/protocol'
import { base64 } from '@scure/base'
import { getTransactionEncoder } from '@solana/kit'
import { isRecord } from '../../config.ts'
import { RpcError } from '../../rpcError.ts'
import type { Fee } from '../question.ts'
import { askNetwork, askValue, sentence } from './rpc.ts'
import type { SolanaTransaction } from './transaction.ts'

/**
 * Tries a transaction on the network, and asks what it costs.
 *
 * @throws RpcError with the network's reason when it would fail, -32603 when the network does not answer.
 */
export async function estimateFee(network: Network, { transaction }: SolanaTransaction): Promise<Fee> {
  const wire = base64.encode(new Uint8Array(getTransactionEncoder().encode(transaction)))
  const message = base64.encode(new Uint8Array(transaction.messageBytes))
  const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true }
  const [tried, fee] = await Promise.all([
    askValue(network, 'simulateTransaction', [wire, config]),
    askValue(network, 'getFeeForMessage', [message]),
  ])
  const { err, logs } = isRecord(tried) ? tried : {}
  if (err !== undefined && err !== null) {
    throw new RpcError(-32002, sentence(JSON.stringify(err), Array.isArray(logs) ? logs : []))
  }
  return { atMost: typeof fee === 'number' ? BigInt(fee) : 0n }
}

/**
 * Hands a signed transaction to its network.
 *
 * @returns its signature, as soon as the network took it.
 * @throws RpcError with the network's reason, -32603 when the network does not answer.
 */
export async function send(network: Network, wire: string, sendOptions: unknown): Promise<string> {
  const options = isRecord(sendOptions) ? sendOptions : {}
  return String(await askNetwork(network, 'sendTransaction', [wire, { ...options, encoding: 'base64' }]))
}
