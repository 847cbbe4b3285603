import { setActiveNamespace, switchNetwork } from '@latchkey/core'
import { showToast } from '@latchkey/modal'
import { isLatchkeyError, type ChainId, type Namespace, type Network } from '@latchkey/protocol'
import { toCaipNetwork, type AppKitNetwork } from '../network/appKitNetwork.ts'
import type { AppKitContext } from './appKitContext.ts'
import { readNetwork, readNetworkState, type AppKitNetworkState } from './readNetworkState.ts'

export type NetworkMethods = {
  getCaipNetwork(namespace?: Namespace): Network | undefined
  getCaipNetworks(namespace?: Namespace): readonly Network[]
  getCaipNetworkId(): ChainId | undefined
  /** Returns the id within the namespace: a number in eip155. */
  getChainId(): number | string | undefined
  getActiveChainNamespace(): Namespace | undefined
  /** Returns the network of the active namespace. */
  getNetworkState(): AppKitNetworkState
  subscribeNetwork(callback: (network: AppKitNetworkState) => void): () => void
  subscribeCaipNetworkChange(callback: (network: Network | undefined) => void): () => void
  /** Always empty: Latchkey disables no network. */
  getDisabledCaipNetworks(): readonly Network[]
  /**
   * Switches the connected wallet, or stores the choice without a wallet. A failure is shown as a notice.
   *
   * @param options `throwOnFailure`: true to reject instead
   */
  switchNetwork(network: AppKitNetwork, options?: { throwOnFailure?: boolean }): Promise<void>
  setActiveNamespace(namespace: Namespace): void
}

/** Creates the methods that read and switch the network. */
export function createNetworkMethods({ latchkey }: AppKitContext): NetworkMethods {
  const context = { latchkey }
  const networkOf = (namespace?: Namespace): Network | undefined => readNetwork(context, namespace)
  const getNetworkState = (): AppKitNetworkState => readNetworkState(context)

  return {
    getCaipNetwork: networkOf,
    getCaipNetworks: (namespace) =>
      latchkey.networks.filter(({ chainNamespace }) => chainNamespace === (namespace ?? chainNamespace)),
    getCaipNetworkId: () => networkOf()?.caipNetworkId,
    getChainId: () => networkOf()?.id,
    getActiveChainNamespace: () => latchkey.wallet.getState().active,
    getNetworkState,
    subscribeNetwork: (callback) => latchkey.wallet.subscribe(() => callback(getNetworkState())),
    subscribeCaipNetworkChange(callback) {
      let reported = networkOf()
      return latchkey.wallet.subscribe(() => {
        const network = networkOf()
        if (network?.caipNetworkId === reported?.caipNetworkId) return
        reported = network
        callback(network)
      })
    },
    getDisabledCaipNetworks: () => [],
    async switchNetwork(network, { throwOnFailure = false } = {}) {
      try {
        await switchNetwork(latchkey, toCaipNetwork(network).caipNetworkId)
      } catch (error) {
        if (throwOnFailure || !isLatchkeyError(error)) throw error
        showToast(latchkey, error.message, { variant: isDeclined(error) ? 'info' : 'error' })
      }
    },
    setActiveNamespace: (namespace) => setActiveNamespace(latchkey, namespace),
  }
}

function isDeclined(error: unknown): boolean {
  return isLatchkeyError(error, 'request/rejected')
}
