import { switchNetwork } from '@latchkey/core'
import type { ChainId, Network } from '@latchkey/protocol'
import { useLatchkey } from '../context.ts'
import { useAccount } from './useAccount.ts'

/**
 * The app's networks, the one in use, and how to go to another.
 *
 * @example const { networks, active, switchNetwork } = useNetworks()
 */
export function useNetworks(): {
  networks: readonly Network[]
  /** May be one that the app did not configure, while the wallet is there. */
  active: Network | undefined
  /** @throws LatchkeyError as `switchNetwork` of `@latchkey/core` does. */
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
