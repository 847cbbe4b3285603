import { createErrors, LatchkeyError, type ChainId, type Network } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { addAlert } from '../state/notices.ts'
import { standing } from '../state/connections.ts'
import { adapterOf, findNetwork, getAccount, stateOf } from '../state/wallet.ts'
import { moveTo } from './follow.ts'
import { guardNetwork } from './guardNetwork.ts'
import { setActiveNamespace } from './setActiveNamespace.ts'

const coreError = createErrors({
  'network/missing': () => 'CaipNetwork is undefined: pass the CAIP-2 id of a network.',
})

/**
 * Goes to another network: asks the connected wallet to switch, or, without one, remembers the choice for the next
 * connection. A network of another namespace makes that namespace the active one.
 *
 * @throws LatchkeyError `network/missing` without one, `network/not-found` when it is not configured; `request/rejected`, `network/add-refused` or
 *   `network/switch-unsupported` from the wallet.
 * @example await switchNetwork(latchkey, 'eip155:8453')
 */
export async function switchNetwork(latchkey: Latchkey, chainId: ChainId | undefined): Promise<void> {
  if (chainId === undefined) throw coreError('network/missing', {})
  const network = findNetwork(latchkey, chainId)
  if (network === undefined) {
    addAlert(latchkey.alerts, 'network-not-found')
    throw new LatchkeyError('network/not-found', { chainId })
  }
  const namespace = network.chainNamespace
  const state = standing(stateOf(latchkey, namespace))
  if (state !== undefined && state.chainId !== chainId) {
    await adapterOf(latchkey, namespace).switchNetwork(state.connection, network)
    moveTo(latchkey, state.connection, chainId)
  }
  const before = getAccount(latchkey).network
  choose(latchkey, network)
  if (getAccount(latchkey).network !== before) latchkey.events.emit({ type: 'network', chainId })
  await guardNetwork(latchkey)
}

function choose(latchkey: Latchkey, network: Network): void {
  const { chainNamespace, caipNetworkId } = network
  const before = latchkey.wallet.getState()
  latchkey.wallet.setState({ ...before, chosen: { ...before.chosen, [chainNamespace]: caipNetworkId } }, true)
  if (before.active !== chainNamespace) flagNamespaceSwitch(latchkey)
  setActiveNamespace(latchkey, chainNamespace)
  latchkey.memory.setActiveNetwork(caipNetworkId)
}

/** Tells the modal that the account on show is about to be another one, not lost [R4.2.1]. */
function flagNamespaceSwitch({ modal }: Latchkey): void {
  const state = modal.getState()
  if (state.open) modal.setState({ ...state, switchingNamespace: true }, true)
}
