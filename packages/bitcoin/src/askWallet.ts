import type { Connection, TransactionRequest } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { base64, hex } from '@scure/base'
import { isTaproot } from './taproot.ts'
import { checkedAddress } from './checkedAddress.ts'
import { fieldOf } from './esplora.ts'

/** How a text is signed: the recoverable signature of old, or BIP-322. */
export type SigningProtocol = 'ecdsa' | 'bip322'

/** One input of a PSBT that an address of the wallet is to sign; the selected account when no address is given. */
export type InputToSign = { index: number; address?: string; sighashTypes?: readonly number[] }

/** A partially signed transaction (BIP-174) in base64, and what the wallet is to do with it. */
export type PsbtRequest = {
  psbt: string
  inputs: readonly InputToSign[]
  /** Whether the wallet sends it at once; false when left out. */
  broadcast?: boolean
}

/** A payment, in satoshis. */
export type Transfer = { to: string; value: bigint }

function invalidAnswer({ wallet }: Connection, method: string): LatchkeyError {
  return new LatchkeyError('wallet/invalid-answer', { wallet: wallet.name, method })
}

/**
 * Asks the wallet to sign a text: by BIP-322 with a Taproot address, which has no other way, and as all wallets can with
 * the others, unless told otherwise.
 *
 * @returns base64
 */
export async function signMessage(
  connection: Connection,
  account: AccountId,
  message: string,
  protocol?: SigningProtocol,
): Promise<string> {
  const method = 'signMessage'
  const { address } = parseAccountId(account)
  const by = protocol ?? (isTaproot(address) ? 'bip322' : 'ecdsa')
  const params = { account: address, message, address, protocol: by }
  const signature = fieldOf(await connection.provider.request({ method, params }), 'signature')
  const written = typeof signature === 'string' ? asBase64(signature) : undefined
  if (written === undefined) throw invalidAnswer(connection, method)
  return written
}

/** Remote wallets give the signature in hex, those in the page in base64. No signature reads as both. */
function asBase64(signature: string): string | undefined {
  try {
    const isHex = /^(0x)?([0-9a-f]{2}){64,}$/i.test(signature)
    const bytes = isHex ? hex.decode(signature.replace(/^0x/i, '').toLowerCase()) : base64.decode(signature)
    return bytes.length >= 64 ? base64.encode(bytes) : undefined
  } catch {
    return undefined
  }
}

/** Asks the wallet to sign inputs of a PSBT. */
export async function signPsbt(
  connection: Connection,
  account: AccountId,
  { psbt, inputs, broadcast = false }: PsbtRequest,
): Promise<{ psbt: string; txid?: string }> {
  const method = 'signPsbt'
  const { address: selected } = parseAccountId(account)
  const signInputs = inputs.map(({ address = selected, index, sighashTypes }) => ({ address, index, sighashTypes }))
  const params = { account: selected, psbt, signInputs, broadcast }
  const answer = await connection.provider.request({ method, params })
  const [signed, txid] = [fieldOf(answer, 'psbt'), fieldOf(answer, 'txid')]
  if (typeof signed !== 'string' || !isPsbt(signed)) throw invalidAnswer(connection, method)
  if (txid !== undefined && txid !== '' && !isHash(txid)) throw invalidAnswer(connection, method)
  if (broadcast && !isHash(txid)) throw invalidAnswer(connection, method)
  return isHash(txid) ? { psbt: signed, txid } : { psbt: signed }
}

/** Asks the wallet to pay. Nothing else can be sent along. */
export async function sendTransaction(
  connection: Connection,
  account: AccountId,
  { to, value = 0n, data }: TransactionRequest,
): Promise<string> {
  if (data !== undefined) throw new LatchkeyError('request/not-allowed', { method: 'sendTransfer with data' })
  return sendTransfer(connection, account, { to, value })
}

/** Asks the wallet to pay. It chooses the outputs that it spends, and the fee. */
export async function sendTransfer(
  connection: Connection,
  account: AccountId,
  { to, value }: Transfer,
): Promise<string> {
  const method = 'sendTransfer'
  const { chainId, address } = parseAccountId(account)
  const recipientAddress = checkedAddress(chainId, to)
  if (value <= 0n) throw new LatchkeyError('amount/invalid', { value: String(value) })
  const params = { account: address, recipientAddress, amount: String(value) }
  const txid = fieldOf(await connection.provider.request({ method, params }), 'txid')
  if (!isHash(txid)) throw invalidAnswer(connection, method)
  return txid
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value)
}

/** Every PSBT begins with the bytes `psbt\xff`. */
function isPsbt(text: string): boolean {
  try {
    return text.startsWith('cHNidP') && base64.decode(text).length > 5
  } catch {
    return false
  }
}
