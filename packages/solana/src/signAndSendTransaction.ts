import type { Latchkey } from '@latchkey/core'
import { connected } from './connected.ts'
import type { SendOptions } from './sendOptions.ts'

/**
 * Asks the connected Solana wallet to sign a transaction and to send it. Where the wallet can only sign, it is sent
 * through the network's own endpoint.
 *
 * @returns its signature in base58, as soon as it was sent; `waitForTransaction` tells what became of it
 * @throws LatchkeyError `connection/not-connected`, `config/invalid`, `request/rejected`, `request/failed`,
 *   `request/unknown`, `wallet/invalid-answer`, `transaction/reverted`, `rpc/unreachable`.
 * @example const signature = await signAndSendTransaction(latchkey, bytes, { preflightCommitment: 'confirmed' })
 */
export async function signAndSendTransaction(
  latchkey: Latchkey,
  transaction: Uint8Array,
  options: SendOptions = {},
): Promise<string> {
  const { connection, account } = connected(latchkey)
  const [{ askToSend }, { checkedOptions }] = await Promise.all([import('./askToSend.ts'), import('./sendOptions.ts')])
  const readers = { clock: latchkey.clock, networks: latchkey.networks, clients: new Map() }
  return askToSend(readers, connection, account, transaction, checkedOptions(options))
}
