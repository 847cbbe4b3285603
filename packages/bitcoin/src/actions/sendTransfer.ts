import { findNetwork, requireConnectedWallet } from '@latchkey/adapter-kit'
import type { Latchkey } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { parseAccountId } from '@latchkey/protocol'
import type { Transfer } from '../wallet/requestTransfer.ts'

/**
 * Asks the connected Bitcoin wallet to pay.
 *
 * @param transfer the recipient and the amount in satoshis
 * @returns the transaction id
 * @throws LatchkeyError `connection/not-connected`, `address/invalid`, `amount/invalid`, `request/rejected`,
 *   `request/unknown`
 * @example const txid = await sendTransfer(latchkey, { to: 'bc1q…', value: 10_000n })
 */
export async function sendTransfer(latchkey: Latchkey, transfer: Transfer): Promise<string> {
  const { connection, account } = requireConnectedWallet(latchkey, 'bip122')
  const { requestTransfer } = await import('../wallet/requestTransfer.ts')
  const network = findNetwork(latchkey.networks, parseAccountId(account).chainId)
  return requestTransfer({ connection, account, network, clock: internalsOf(latchkey).clock }, transfer)
}
