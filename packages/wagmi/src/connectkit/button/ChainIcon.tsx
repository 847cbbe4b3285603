import { networkImageUrl } from '@latchkey/core'
import { useLatchkey } from '@latchkey/react'
import { getField } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useConfig } from 'wagmi'
import { toChainId } from '../../connectionSnapshot.ts'

export type ChainIconProps = {
  /** The id of the chain. */
  id?: number
  /** True for a chain that the app does not use. It is marked. */
  unsupported?: boolean
  /** In pixels. 24 by default. */
  size?: number | string
  /** In pixels. A circle by default. */
  radius?: number | string
}

/**
 * Shows the picture of a chain: the `iconUrl` of the app's chain, or the one of the Latchkey server. Without either, shows the
 * first letter of its name.
 *
 * @param props the chain, and the size
 * @returns the picture or the letter, with the name of the chain as its text
 * @throws Error outside of a `ConnectKitProvider`
 * @example <ChainIcon id={1} size={32} />
 */
export function ChainIcon({ id, unsupported = false, size = 24, radius = '50%' }: ChainIconProps): ReactElement {
  const latchkey = useLatchkey()
  const chain = useConfig().chains.find((each) => each.id === id)
  const network = latchkey.networks.find(({ caipNetworkId }) => id !== undefined && caipNetworkId === toChainId(id))
  const iconUrl = getField(chain, 'iconUrl')
  const image = typeof iconUrl === 'string' ? iconUrl : network && networkImageUrl(latchkey, network)
  const name = chain?.name ?? 'Unknown chain'
  const style = { inlineSize: size, blockSize: size, borderRadius: radius }
  return (
    <span className="latchkey-chain" style={style} role="img" aria-label={name} data-unsupported={unsupported}>
      {image === undefined ? [...name][0]?.toUpperCase() : <img src={image} alt="" />}
    </span>
  )
}
