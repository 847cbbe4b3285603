import type { Connection, Latchkey } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import type { PsbtRequest, SigningProtocol, Transfer } from './askWallet.ts'

/** An address that the connected wallet shares. */
export type BitcoinAddress = {
  address: string
  /** What it is for: payments, or inscriptions and their like. */
  type: 'payment' | 'ordinals'
  publicKey?: string
  path?: string
}

/**
 * The addresses of the connected wallet, the one for payments first.
 *
 * @throws LatchkeyError `connection/not-connected`.
 */
export function getBitcoinAddresses(latchkey: Latchkey): readonly BitcoinAddress[] {
  const { connection } = requireBitcoin(latchkey)
  return connection.accounts.map((account) => {
    const { type, publicKey, path } = connection.details?.(account) ?? {}
    const { address } = parseAccountId(account)
    return { address, type: type === 'ordinals' ? 'ordinals' : 'payment', publicKey, path }
  })
}

/**
 * Asks the connected wallet to sign inputs of a PSBT, and to send it if it is told to.
 *
 * @returns the PSBT in base64 with the signatures, and the transaction's id when it was sent
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/unknown`, `wallet/invalid-answer`.
 * @example const { psbt } = await signPsbt(latchkey, { psbt: unsigned, inputs: [{ index: 0 }] })
 */
export async function signPsbt(latchkey: Latchkey, request: PsbtRequest): Promise<{ psbt: string; txid?: string }> {
  const { connection, account } = requireBitcoin(latchkey)
  return (await import('./askWallet.ts')).signPsbt(connection, account, request)
}

/**
 * Asks the connected wallet to pay.
 *
 * @returns the transaction's id
 * @throws LatchkeyError `connection/not-connected`, `address/invalid`, `amount/invalid`, `request/rejected`, `request/unknown`.
 * @example const txid = await sendTransfer(latchkey, { to: 'bc1q…', value: 10_000n })
 */
export async function sendTransfer(latchkey: Latchkey, transfer: Transfer): Promise<string> {
  const { connection, account } = requireBitcoin(latchkey)
  return (await import('./askWallet.ts')).sendTransfer(connection, account, transfer)
}

/**
 * Asks the connected wallet to sign a text with one of its addresses, by the protocol of choice.
 *
 * @param options the selected address, and the protocol that fits it, when left out
 * @returns the signature in base64
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/failed`.
 * @example await signBitcoinMessage(latchkey, 'Hello', { protocol: 'bip322' })
 */
export async function signBitcoinMessage(
  latchkey: Latchkey,
  message: string,
  { address, protocol }: { address?: string; protocol?: SigningProtocol } = {},
): Promise<string> {
  const { connection, account } = requireBitcoin(latchkey)
  const signer = address === undefined ? account : connection.accounts.find((each) => each.endsWith(`:${address}`))
  if (signer === undefined) throw new LatchkeyError('address/invalid', { namespace: 'bip122', value: address ?? '' })
  return (await import('./askWallet.ts')).signMessage(connection, signer, message, protocol)
}

function requireBitcoin(latchkey: Latchkey): { connection: Connection; account: AccountId } {
  const state = latchkey.wallet.getState().namespaces.bip122
  if (state?.status !== 'connected') throw new LatchkeyError('connection/not-connected', {})
  return state
}
