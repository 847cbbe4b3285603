import { shortenAddress } from '@latchkey/core'
import { modalOf } from '@latchkey/modal'
import { useAccount, useLatchkey } from '@latchkey/react'
import { useSyncExternalStore } from 'react'
import { formatUnits, getAddress, type Address } from 'viem'
import { useBalance, useConfig, useEnsAvatar, useEnsName } from 'wagmi'

/** The chain of ENS names. */
const ensChainId = 1

/** The account of the connected wallet, as both originals describe one. */
export type KitAccount = {
  address: Address
  /** The ENS name, or the shortened address. */
  displayName: string
  ensName: string | undefined
  ensAvatar: string | undefined
  balance: { formatted: string; decimals: number; symbol: string } | undefined
  hasPendingTransactions: boolean
}

/** The values of an account that are read from chains. */
export type KitAccountReads = { showBalance: boolean; showName: boolean }

/**
 * Returns the account of the connected wallet, or undefined without one. Names and balances are read through wagmi, so that
 * they share the cache and the transports of the app.
 *
 * @param reads the values to read in addition to the address
 */
export function useKitAccount({ showBalance, showName }: KitAccountReads): KitAccount | undefined {
  const account = useAccount('eip155')
  const { chains } = useConfig()
  const pending = usePendingText()
  const address = 'address' in account ? getAddress(account.address) : undefined
  const chainId = account.network === undefined ? undefined : Number(account.network.id)
  const hasEns = showName && chains.some(({ id }) => id === ensChainId)
  const { data: name } = useEnsName({ address, chainId: ensChainId, query: { enabled: hasEns } })
  const ensName = name ?? undefined
  const { data: avatar } = useEnsAvatar({ name: ensName, chainId: ensChainId, query: { enabled: hasEns } })
  const isRead = showBalance && chains.some(({ id }) => id === chainId)
  const { data: balance } = useBalance({ address, chainId, query: { enabled: isRead } })
  if (address === undefined) return undefined
  return {
    address,
    displayName: ensName ?? shortenAddress(address),
    ensName,
    ensAvatar: avatar ?? undefined,
    balance: isRead && balance !== undefined ? toKitBalance(balance) : undefined,
    hasPendingTransactions: pending !== undefined,
  }
}

function toKitBalance({ value, decimals, symbol }: { value: bigint; decimals: number; symbol: string }) {
  return { formatted: formatUnits(value, decimals), decimals, symbol }
}

function usePendingText(): string | undefined {
  const { subscribe, getState, getInitialState } = modalOf(useLatchkey()).pendingTexts
  return useSyncExternalStore(subscribe, getState, getInitialState).eip155
}
