import { getAccount, type Latchkey } from '@latchkey/core'
import { connectedWallet } from '@latchkey/core/internal'
import type { ChainId, Namespace, Network } from '@latchkey/protocol'

export type AppKitNetworkState = {
  readonly caipNetwork: Network | undefined
  readonly caipNetworkId: ChainId | undefined
  readonly chainId: number | string | undefined
  /** The networks that the wallet approved; undefined if it can switch to any. */
  readonly approvedCaipNetworkIds: readonly ChainId[] | undefined
  readonly supportsAllNetworks: boolean
}

/** Reads the network of a namespace; of the active one if omitted. */
export function readNetwork({ latchkey }: { latchkey: Latchkey }, namespace?: Namespace): Network | undefined {
  const isKnown = namespace === undefined || latchkey.adapters.some((adapter) => adapter.namespace === namespace)
  return isKnown ? getAccount(latchkey, namespace).network : undefined
}

/** Reads the network of the active namespace. */
export function readNetworkState({ latchkey }: { latchkey: Latchkey }): AppKitNetworkState {
  const network = readNetwork({ latchkey })
  const { active, namespaces } = latchkey.wallet.getState()
  const approved = active && connectedWallet(namespaces[active])?.connection.approvedChains
  return {
    caipNetwork: network,
    caipNetworkId: network?.caipNetworkId,
    chainId: network?.id,
    approvedCaipNetworkIds: approved === 'all' ? undefined : approved,
    supportsAllNetworks: approved === undefined || approved === 'all',
  }
}
