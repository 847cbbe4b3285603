import { networkImageUrl, type AccountState } from '@latchkey/core'
import { useAccount, useLatchkey } from '@latchkey/react'
import { getField } from '@latchkey/protocol'
import { useConfig } from 'wagmi'

/** The network of the connected wallet, as both originals describe one. */
export type KitNetwork = {
  id: number
  /** Undefined for a network without a name. */
  name: string | undefined
  /** The `iconUrl` of the app's chain, or the icon of the network. */
  iconUrl: string | undefined
  iconBackground: string | undefined
  /** True if the app does not use the network. */
  unsupported: boolean
}

/** Returns the network of the connected wallet, or undefined without one. */
export function useKitNetwork(): KitNetwork | undefined {
  const latchkey = useLatchkey()
  const { chains } = useConfig()
  const account: AccountState = useAccount('eip155')
  if (account.status !== 'connected' && account.status !== 'reconnecting') return undefined
  const { network } = account
  if (network === undefined) return undefined
  const id = Number(network.id)
  const chain = chains.find((each) => each.id === id)
  const [iconUrl, iconBackground] = [getField(chain, 'iconUrl'), getField(chain, 'iconBackground')]
  return {
    id,
    name: network.name === '' ? undefined : network.name,
    iconUrl: typeof iconUrl === 'string' ? iconUrl : networkImageUrl(latchkey, network),
    iconBackground: typeof iconBackground === 'string' ? iconBackground : undefined,
    unsupported: account.status === 'connected' && !account.supported,
  }
}
