import type { Connection, Latchkey } from '@latchkey/core'
import { LatchkeyError, type AccountId } from '@latchkey/protocol'
import type { PolkadotPayload } from './askWallet.ts'

/**
 * Asks the connected wallet to sign raw data: a text, or bytes. It is signed between `<Bytes>` and `</Bytes>`.
 *
 * @returns hex with `0x`
 * @throws LatchkeyError `connection/not-connected`, `request/rejected`, `request/unknown`, `wallet/invalid-answer`.
 * @example const signature = await signRaw(latchkey, 'Hello')
 */
export async function signRaw(latchkey: Latchkey, data: string | Uint8Array): Promise<`0x${string}`> {
  const { connection, account } = requirePolkadot(latchkey)
  return (await import('./askWallet.ts')).signRaw(connection, account, data)
}

/**
 * Asks the connected wallet to sign a transaction that the app made with the metadata of its runtime.
 *
 * @returns hex with `0x`, with the byte of its kind in front
 * @throws LatchkeyError `connection/not-connected`, `network/unsupported`, `request/rejected`, `request/unknown`.
 * @example const { signature } = await signPayload(latchkey, payload)
 */
export async function signPayload(
  latchkey: Latchkey,
  payload: PolkadotPayload,
): Promise<{ signature: `0x${string}`; signedTransaction?: string }> {
  const { connection, account } = requirePolkadot(latchkey)
  return (await import('./askWallet.ts')).signPayload(connection, account, payload)
}

function requirePolkadot(latchkey: Latchkey): { connection: Connection; account: AccountId } {
  const state = latchkey.wallet.getState().namespaces.polkadot
  if (state?.status !== 'connected') throw new LatchkeyError('connection/not-connected', {})
  return state
}
