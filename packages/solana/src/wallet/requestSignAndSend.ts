import { unsupportedMethodCodes } from '@latchkey/adapter-kit'
import type { Connection } from '@latchkey/core'
import {
  getField,
  isLatchkeyError,
  parseAccountId,
  type AccountId,
  type Network,
  transactionError,
  walletError,
} from '@latchkey/protocol'
import { isSolanaError, type Base64EncodedWireTransaction } from '@solana/kit'
import type { ParsedSendOptions } from '../actions/sendOptions.ts'
import { getFailureReason } from '../chain/failureReason.ts'
import { getSolanaClient, wrapUnreachable, requireNetwork, type SolanaClients } from '../chain/solanaClients.ts'
import { toBase64 } from './base58.ts'
import { requestSignature } from './requestSignature.ts'
import { parseSignature } from './signatures.ts'

/**
 * Asks the wallet to sign and send a transaction. If the wallet can only sign, the transaction is sent through the
 * network's endpoint.
 *
 * @returns the signature in base58
 */
export async function requestSignAndSend(
  clients: SolanaClients,
  connection: Connection,
  account: AccountId,
  transaction: Uint8Array,
  sendOptions: ParsedSendOptions,
): Promise<string> {
  const method = 'solana_signAndSendTransaction'
  const { address: pubkey } = parseAccountId(account)
  const params = { transaction: toBase64(transaction), pubkey, sendOptions }
  try {
    const response = await connection.provider.request({ method, params })
    const signature = parseSignature(getField(response, 'signature'))
    if (signature !== undefined) return signature
  } catch (error) {
    if (!isLatchkeyError(error, 'request/failed') || !unsupportedMethodCodes.includes(error.context.code)) throw error
    const network = requireNetwork(clients, connection.chainId)
    return broadcast(clients, network, await requestSignature(connection, account, transaction), sendOptions)
  }
  throw walletError('wallet/invalid-response', { wallet: connection.wallet.name, method })
}

/** Sends a signed transaction through the network's endpoint. */
async function broadcast(
  clients: SolanaClients,
  network: Network,
  signed: Uint8Array,
  { minContextSlot, maxRetries, preflightCommitment, skipPreflight = false }: ParsedSendOptions,
): Promise<string> {
  const optional = {
    ...(maxRetries === undefined ? {} : { maxRetries: BigInt(maxRetries) }),
    ...(minContextSlot === undefined ? {} : { minContextSlot: BigInt(minContextSlot) }),
    ...(preflightCommitment === undefined ? {} : { preflightCommitment }),
  }
  const wire = toBase64(signed) as Base64EncodedWireTransaction
  const options = { encoding: 'base64', skipPreflight, ...optional } as const
  try {
    return await wrapUnreachable(network, getSolanaClient(clients, network).sendTransaction(wire, options).send())
  } catch (cause) {
    if (!isSolanaError(cause)) throw cause
    const { logs } = { logs: undefined, ...cause.context }
    const reason = getFailureReason(logs, cause.cause ?? cause.message)
    throw transactionError('transaction/reverted', { hash: undefined, reason }, { cause })
  }
}
