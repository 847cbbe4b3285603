import type { WalletState } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'

/** Whether the connected wallet said that it can use a network; without a wallet nothing speaks against it. */
export function isApproved({ namespaces }: WalletState, { chainNamespace, caipNetworkId }: Network): boolean {
  const state = namespaces[chainNamespace]
  if (state?.status !== 'connected') return true
  const { approvedChains } = state.connection
  return approvedChains === 'all' || approvedChains.includes(caipNetworkId)
}
