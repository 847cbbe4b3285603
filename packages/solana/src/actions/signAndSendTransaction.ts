import { internalsOf } from '@latchkey/core/internal'
import type { Latchkey } from '@latchkey/core'
import { requireConnectedWallet } from '@latchkey/adapter-kit'
import type { SendOptions } from './sendOptions.ts'

/**
 * Asks the connected Solana wallet to sign and send a transaction. If the wallet can only sign, the transaction is sent
 * through the network's endpoint.
 *
 * @param transaction in wire format
 * @returns the signature in base58 as soon as the transaction is sent. Pass it to `waitForTransaction` to learn the outcome.
 * @throws LatchkeyError `connection/not-connected`, `config/invalid`, `request/rejected`, `request/failed`,
 *   `request/unknown`, `wallet/invalid-response`, `transaction/reverted`, `rpc/unreachable`
 * @example const signature = await signAndSendTransaction(latchkey, bytes, { preflightCommitment: 'confirmed' })
 */
export async function signAndSendTransaction(
  latchkey: Latchkey,
  transaction: Uint8Array,
  options: SendOptions = {},
): Promise<string> {
  const { connection, account } = requireConnectedWallet(latchkey, 'solana')
  const [{ requestSignAndSend }, { parseSendOptions }] = await Promise.all([
    import('../wallet/requestSignAndSend.ts'),
    import('./sendOptions.ts'),
  ])
  const clients = { clock: internalsOf(latchkey).clock, networks: latchkey.networks, clients: new Map() }
  return requestSignAndSend(clients, connection, account, transaction, parseSendOptions(options))
}
