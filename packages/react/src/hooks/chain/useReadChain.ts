import type { ChainId } from '@latchkey/protocol'
import { useLatchkey } from '../../context.ts'
import { useAccount } from '../useAccount.ts'

/**
 * Returns the chain that a hook reads: the given one, else that of the active account if the app configured it. Undefined
 * lets the action choose.
 */
export function useReadChain(chainId: ChainId | undefined): ChainId | undefined {
  const latchkey = useLatchkey()
  const { network } = useAccount()
  if (chainId !== undefined) return chainId
  const isReadable =
    network !== undefined &&
    latchkey.networks.includes(network) &&
    latchkey.adapters.some(
      ({ namespace, smartContracts }) => namespace === network.chainNamespace && smartContracts !== undefined,
    )
  return isReadable ? network.caipNetworkId : undefined
}
