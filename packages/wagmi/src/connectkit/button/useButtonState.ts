import { shortenAddress } from '@latchkey/core'
import { useAccount, useModal } from '@latchkey/react'
import type { Address } from 'viem'
import { useConfig } from 'wagmi'
import { useKitAccount } from '../../kit/useKitAccount.ts'
import { useKitNetwork } from '../../kit/useKitNetwork.ts'

/** The account, the network and the modal, for a connect button of the app. */
export type ConnectKitButtonState = {
  show(): void
  hide(): void
  /** The chain of the app that the wallet is on. */
  chain: (ReturnType<typeof useConfig>['chains'][number] & { unsupported?: boolean }) | undefined
  /** True if the app does not use the network of the wallet. */
  unsupported: boolean
  isConnected: boolean
  isConnecting: boolean
  /** Undefined without a wallet. */
  address: Address | undefined
  truncatedAddress: string | undefined
  ensName: string | undefined
}

/** Returns what a connect button shows, and the functions that it calls. */
export function useButtonState(): ConnectKitButtonState {
  const { chains } = useConfig()
  const { status } = useAccount('eip155')
  const { open, close } = useModal()
  const network = useKitNetwork()
  const account = useKitAccount({ showBalance: false, showName: true })
  return {
    show: () => open({ namespace: 'eip155' }),
    hide: close,
    chain: chains.find(({ id }) => id === network?.id),
    unsupported: network?.unsupported ?? false,
    isConnected: account !== undefined,
    isConnecting: status === 'connecting',
    address: account?.address,
    truncatedAddress: account && shortenAddress(account.address),
    ensName: account?.ensName,
  }
}
