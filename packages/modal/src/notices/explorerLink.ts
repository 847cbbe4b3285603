import type { Latchkey } from '@latchkey/core'
import type { ChainId } from '@latchkey/protocol'
import type { ToastLink } from './toastState.ts'

/** Returns the link of a transaction in the block explorer of its network, if it has one. */
export function explorerLink(
  { networks, adapters }: Pick<Latchkey, 'networks' | 'adapters'>,
  { chainId, hash }: { chainId: ChainId; hash: string },
  label: string,
): ToastLink | undefined {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const adapter = adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const href = network === undefined ? undefined : adapter?.explorerUrl(network, { transaction: hash })
  return href === undefined ? undefined : { label, href }
}
