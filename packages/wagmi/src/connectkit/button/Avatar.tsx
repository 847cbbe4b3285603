import { useAccount } from '@latchkey/react'
import { isAddress } from 'viem'
import type { ReactElement } from 'react'
import { useConfig, useEnsAddress, useEnsAvatar, useEnsName } from 'wagmi'
import { KitAvatar } from '../../kit/KitAvatar.tsx'
import { useConnectKit } from '../provider/ConnectKitContext.ts'

/** The chain of ENS names. */
const ensChainId = 1

export type AvatarProps = {
  /** The address of an account. That of the connected wallet if both are omitted. */
  address?: string
  /** An ENS name in place of an address. */
  name?: string
  /** In pixels. 96 by default. */
  size?: number
  /** In pixels. A circle by default. */
  radius?: number
}

/**
 * Shows the picture of an ENS name, or the colours of the address.
 *
 * @param props the account, and the size
 * @returns the avatar of the provider's `customAvatar`, or Latchkey's own
 * @throws Error outside of a `ConnectKitProvider`
 * @example <Avatar address="0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" size={32} />
 */
export function Avatar({ address, name, size = 96, radius = size / 2 }: AvatarProps): ReactElement {
  const { customAvatar: Custom } = useConnectKit().options
  const { chains } = useConfig()
  const account = useAccount('eip155')
  const enabled = chains.some(({ id }) => id === ensChainId)
  const connected = 'address' in account ? account.address : undefined
  const { data: resolved } = useEnsAddress({
    name,
    chainId: ensChainId,
    query: { enabled: enabled && name !== undefined },
  })
  const shown = address ?? (name === undefined ? connected : (resolved ?? undefined))
  const { data: found } = useEnsName({
    address: shown !== undefined && isAddress(shown) ? shown : undefined,
    chainId: ensChainId,
    query: { enabled: enabled && name === undefined },
  })
  const ensName = name ?? found ?? undefined
  const { data: picture } = useEnsAvatar({ name: ensName, chainId: ensChainId, query: { enabled } })
  const image = picture ?? undefined
  if (Custom !== undefined) {
    return <Custom address={shown} ensName={ensName} ensImage={image} size={size} radius={radius} />
  }
  return <KitAvatar address={shown} image={image} size={size} radius={radius} />
}
