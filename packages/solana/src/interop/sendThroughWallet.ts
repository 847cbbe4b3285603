import type { ParsedSendOptions } from '../actions/sendOptions.ts'
import type { SolanaClients } from '../chain/solanaClients.ts'
import { fromBase58 } from '../wallet/base58.ts'
import { requestSignAndSend } from '../wallet/requestSignAndSend.ts'
import type { SharedWallet } from './requireSharedAccount.ts'

/**
 * Asks a wallet to sign and send a transaction. If it can only sign, the transaction is sent through the network's endpoint.
 *
 * @param transaction in wire format
 * @returns the signature, 64 bytes
 * @throws the errors of `signAndSendTransaction`
 */
export async function sendThroughWallet(
  clients: SolanaClients,
  { connection, account }: SharedWallet,
  transaction: Uint8Array,
  options: ParsedSendOptions,
): Promise<Uint8Array> {
  const signature = await requestSignAndSend(clients, connection, account, transaction, options)
  // `requestSignAndSend` validates it.
  return fromBase58(signature) ?? new Uint8Array()
}
