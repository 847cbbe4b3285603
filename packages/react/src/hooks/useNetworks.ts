import { switchNetwork } from '@latchkey/core'
import type { ChainId, Network } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'
import { useAccount } from './useAccount.ts'

/**
 * Returns the app's networks, the current network, and a function that switches to another one.
 *
 * @example const { networks, active, switchNetwork } = useNetworks()
 */
export function useNetworks(): {
  networks: readonly Network[]
  /** The current network. It may be one that the app did not configure, if the wallet is on it. */
  active: Network | undefined
  /** @throws LatchkeyError as `switchNetwork` of `@latchkey/core` */
  switchNetwork(chainId: ChainId): Promise<void>
} {
  const latchkey = useLatchkey()
  const { network } = useAccount()
  return {
    networks: latchkey.networks,
    active: network,
    switchNetwork: (chainId) => switchNetwork(latchkey, chainId),
  }
}
