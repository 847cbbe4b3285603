import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { getAdapter, accountStateOf } from '../state/getAccount.ts'

/**
 * Makes a namespace the active one, which account, network and requests default to. Connections do not change.
 *
 * @throws LatchkeyError `adapter/not-found`.
 * @example setActiveNamespace(latchkey, 'solana')
 */
export function setActiveNamespace(latchkey: Latchkey, namespace: Namespace): void {
  getAdapter(latchkey, namespace)
  const state = latchkey.wallet.getState()
  if (state.active === namespace) return
  latchkey.wallet.setState({ ...state, active: namespace }, true)
  const { network } = accountStateOf(latchkey)
  if (network !== undefined) latchkey.internal.memory.setActiveNetwork(network.caipNetworkId)
}
