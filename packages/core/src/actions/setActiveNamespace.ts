import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { adapterOf, getAccount } from '../state/wallet.ts'

/**
 * Makes a namespace the one that account, network and requests are about. Connections stay as they are.
 *
 * @throws LatchkeyError `adapter/not-found`.
 */
export function setActiveNamespace(latchkey: Latchkey, namespace: Namespace): void {
  adapterOf(latchkey, namespace)
  const state = latchkey.wallet.getState()
  if (state.active === namespace) return
  latchkey.wallet.setState({ ...state, active: namespace }, true)
  const { network } = getAccount(latchkey)
  if (network !== undefined) latchkey.memory.setActiveNetwork(network.caipNetworkId)
}
