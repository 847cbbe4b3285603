import { createErrors, type ChainId, type Network, networkError } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { connectedWallet } from '../state/connectionState.ts'
import { getAdapter, findNetwork, accountStateOf, connectionStateOf } from '../state/getAccount.ts'
import { applyNetworkChange } from '../connection/followConnection.ts'
import { checkNetwork } from './checkNetwork.ts'
import { setActiveNamespace } from '../connection/setActiveNamespace.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'network/missing': object
  }
}

const coreError = createErrors({
  'network/missing': () => 'CaipNetwork is undefined: pass the CAIP-2 id of a network.',
})

/**
 * Switches to another network. Asks the connected wallet to switch; without a wallet, stores the choice for the next
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
    latchkey.events.emit({ type: 'problem', code: 'network-not-found' })
    throw networkError('network/not-found', { chainId })
  }
  const namespace = network.chainNamespace
  const state = connectedWallet(connectionStateOf(latchkey, namespace))
  if (state !== undefined && state.chainId !== chainId) {
    await getAdapter(latchkey, namespace).switchNetwork(state.connection, network)
    applyNetworkChange(latchkey, state.connection, chainId)
  }
  const before = accountStateOf(latchkey).network
  choose(latchkey, network)
  if (accountStateOf(latchkey).network !== before) latchkey.events.emit({ type: 'network', chainId })
  checkNetwork(latchkey)
}

function choose(latchkey: Latchkey, network: Network): void {
  const { chainNamespace, caipNetworkId } = network
  const before = latchkey.wallet.getState()
  latchkey.wallet.setState({ ...before, chosen: { ...before.chosen, [chainNamespace]: caipNetworkId } }, true)
  if (before.active !== chainNamespace) latchkey.events.emit({ type: 'namespace-change', namespace: chainNamespace })
  setActiveNamespace(latchkey, chainNamespace)
  latchkey.internal.memory.setActiveNetwork(caipNetworkId)
}
