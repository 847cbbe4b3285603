import type { Latchkey } from '../../instance/latchkey.ts'
import { getActiveConnection } from '../../state/connectedWallets.ts'
import { coinTypeOf } from './coinType.ts'
import { nameError } from './nameError.ts'
import { postNameMessage, toActionMessage } from './postNameMessage.ts'

/**
 * Offers a name of the active account to another address, for seven days. The name stays with the account until that
 * address accepts it. An offer to the account itself withdraws the last one.
 *
 * @param to an address of the active network
 * @throws LatchkeyError `name/invalid-receiver`, and the errors of `renewName`
 * @example await transferName(latchkey, 'user.latchkey.example', '0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb')
 */
export async function transferName(latchkey: Latchkey, name: string, to: string): Promise<void> {
  const { adapter, network } = getActiveConnection(latchkey)
  if (!adapter.isAddress(to)) throw nameError('name/invalid-receiver', { address: to.slice(0, 80) })
  // A contract accepts on this network. Without a coin type, the network has no names, and the request says so.
  const coin_type = coinTypeOf(Number(network.id))
  await postNameMessage(latchkey, toActionMessage('transfer', name, { to, coin_type }))
}
