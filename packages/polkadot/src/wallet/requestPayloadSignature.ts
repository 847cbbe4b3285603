import { getChainReference } from '@latchkey/adapter-kit'
import type { Connection } from '@latchkey/core'
import { getField, LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { parsePolkadotSignature } from './parsePolkadotSignature.ts'

/** A transaction to sign, in the form that wallets take (`SignerPayloadJSON`). Numbers and bytes are hex. */
export type PolkadotPayload = {
  address: string
  blockHash: string
  blockNumber: string
  era: string
  genesisHash: string
  method: string
  nonce: string
  specVersion: string
  tip: string
  transactionVersion: string
  signedExtensions: readonly string[]
  version: number
  assetId?: string
  metadataHash?: string
  mode?: number
  withSignedTransaction?: boolean
}

/** The signature of a transaction, in hex with `0x`. */
export type SignedPayload = { signature: `0x${string}`; signedTransaction?: string }

/**
 * Asks the wallet to sign a transaction.
 *
 * @throws LatchkeyError `network/unsupported` if the payload is for another chain than the connection
 */
export async function requestPayloadSignature(
  connection: Connection,
  account: AccountId,
  payload: PolkadotPayload,
): Promise<SignedPayload> {
  const method = 'polkadot_signTransaction'
  const { address, chainId } = parseAccountId(account)
  if (!payload.genesisHash.toLowerCase().startsWith(`0x${getChainReference(chainId)}`)) {
    const sentence = `The transaction is for the chain ${payload.genesisHash}, but the wallet is on ${chainId}.`
    throw new LatchkeyError('network/unsupported', { chainId }, { sentence })
  }
  const response = await connection.provider.request({ method, params: { address, transactionPayload: payload } })
  const signedTransaction = getField(response, 'signedTransaction')
  const signature = parsePolkadotSignature(connection, method, response)
  return typeof signedTransaction === 'string' ? { signature, signedTransaction } : { signature }
}
