import type { Connection } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError, parseAccountId, type AccountId, type Network } from '@latchkey/protocol'
import { isSolanaError, type Base64EncodedWireTransaction } from '@solana/kit'
import { askToSign } from './askToSign.ts'
import { failureReason } from './failureReason.ts'
import { networkFor, readerOf, reading, type Readers } from './readers.ts'
import { read } from './readWallet.ts'
import type { CheckedOptions } from './sendOptions.ts'
import { readSignature, toBase64 } from './wire.ts'

/** A method that the wallet does not have (EIP-1193, JSON-RPC); wallets of any family say it so. */
const unsupportedCodes: readonly (number | undefined)[] = [4200, -32601]

/**
 * Asks the wallet to sign and send. One that can only sign is asked for that, and the transaction is sent from here.
 *
 * @returns the transaction's signature
 */
export async function askToSend(
  readers: Readers,
  connection: Connection,
  account: AccountId,
  transaction: Uint8Array,
  sendOptions: CheckedOptions,
): Promise<string> {
  const method = 'solana_signAndSendTransaction'
  const { address: pubkey } = parseAccountId(account)
  const params = { transaction: toBase64(transaction), pubkey, sendOptions }
  try {
    const answer = await connection.provider.request({ method, params })
    const signature = readSignature(read(answer, 'signature'))
    if (signature !== undefined) return signature
  } catch (error) {
    if (!isLatchkeyError(error, 'request/failed') || !unsupportedCodes.includes(error.context.code)) throw error
    const network = networkFor(readers, connection.chainId)
    return broadcast(readers, network, await askToSign(connection, account, transaction), sendOptions)
  }
  throw new LatchkeyError('wallet/invalid-answer', { wallet: connection.wallet.name, method })
}

/** Sends a signed transaction through the network's endpoint. */
async function broadcast(
  readers: Readers,
  network: Network,
  signed: Uint8Array,
  { minContextSlot, maxRetries, preflightCommitment, skipPreflight = false }: CheckedOptions,
): Promise<string> {
  const optional = {
    ...(maxRetries === undefined ? {} : { maxRetries: BigInt(maxRetries) }),
    ...(minContextSlot === undefined ? {} : { minContextSlot: BigInt(minContextSlot) }),
    ...(preflightCommitment === undefined ? {} : { preflightCommitment }),
  }
  const wire = toBase64(signed) as Base64EncodedWireTransaction
  const sending = readerOf(readers, network).sendTransaction(wire, { encoding: 'base64', skipPreflight, ...optional })
  try {
    return await reading(network, sending.send())
  } catch (cause) {
    if (!isSolanaError(cause)) throw cause
    const { logs } = { logs: undefined, ...cause.context }
    const reason = failureReason(logs, cause.cause ?? cause.message)
    throw new LatchkeyError('transaction/reverted', { hash: undefined, reason }, { cause })
  }
}
