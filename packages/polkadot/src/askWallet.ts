import type { Connection } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { field } from './field.ts'
import { referenceOf } from './networks.ts'

/** What is signed for a transaction, as wallets of this family take it (`SignerPayloadJSON`): numbers and bytes in hex. */
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

/**
 * Asks the wallet to sign raw data. It is signed between `<Bytes>` and `</Bytes>`, so that it can never be a transaction.
 *
 * @returns hex with `0x`
 */
export async function signRaw(
  connection: Connection,
  account: AccountId,
  data: string | Uint8Array,
): Promise<`0x${string}`> {
  const method = 'polkadot_signMessage'
  const { address } = parseAccountId(account)
  const said = typeof data === 'string' ? { message: data } : { message: hexOf(data), type: 'bytes' }
  return signatureOf(connection, method, await connection.provider.request({ method, params: { address, ...said } }))
}

/**
 * Asks the wallet to sign a transaction.
 *
 * @returns hex with `0x`, with the byte of its kind in front; the transaction too, where it was asked for and given
 * @throws LatchkeyError `network/unsupported` for a payload of another chain than the connection's.
 */
export async function signPayload(
  connection: Connection,
  account: AccountId,
  payload: PolkadotPayload,
): Promise<{ signature: `0x${string}`; signedTransaction?: string }> {
  const method = 'polkadot_signTransaction'
  const { address, chainId } = parseAccountId(account)
  if (!payload.genesisHash.toLowerCase().startsWith(`0x${referenceOf(chainId)}`)) {
    const sentence = `The transaction is for the chain ${payload.genesisHash}, and the wallet is on ${chainId}.`
    throw new LatchkeyError('network/unsupported', { chainId }, { sentence })
  }
  const answer = await connection.provider.request({ method, params: { address, transactionPayload: payload } })
  const signed = field(answer, 'signedTransaction')
  const signature = signatureOf(connection, method, answer)
  return typeof signed === 'string' ? { signature, signedTransaction: signed } : { signature }
}

/** @throws LatchkeyError `request/not-allowed`, always. */
export function refuseToSend(): never {
  throw new LatchkeyError('request/not-allowed', { method: 'sendTransaction' })
}

function signatureOf({ wallet }: Connection, method: string, answer: unknown): `0x${string}` {
  const signature = field(answer, 'signature')
  if (typeof signature !== 'string' || !/^(0x)?([0-9a-f]{2}){64,66}$/i.test(signature)) {
    throw new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
  }
  return `0x${signature.replace(/^0x/i, '')}`
}

function hexOf(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
