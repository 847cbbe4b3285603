import type { Latchkey } from '@latchkey/core'
import type { CallsOutcome } from '@latchkey/core/money'
import type { ChainId } from '@latchkey/protocol'
import type { ToastLink } from './toastState.ts'

/** Returns the link of a transaction in the block explorer of its network, if it has one. Only transactions have links. */
export function explorerLink(
  { networks, adapters }: Pick<Latchkey, 'networks' | 'adapters'>,
  { chainId, hash }: { chainId: ChainId; hash: string | undefined },
  label: string,
): ToastLink | undefined {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const adapter = adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const href =
    network === undefined || hash === undefined ? undefined : adapter?.explorerUrl(network, { transaction: hash })
  return href === undefined ? undefined : { label, href }
}

/** Returns the hash that a block explorer knows: of the transaction, or of the one that replaced it. A batch has none. */
export function getMinedHash(outcome: CallsOutcome): string | undefined {
  if (outcome.isBatch === true) return undefined
  return outcome.status === 'replaced' ? outcome.by : outcome.hash
}
