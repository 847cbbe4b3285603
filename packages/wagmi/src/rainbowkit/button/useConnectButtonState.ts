import { useModal } from '@latchkey/react'
import { useIsMounted } from '../../kit/useIsMounted.ts'
import { useKitAccount, type KitAccount, type KitAccountReads } from '../../kit/useKitAccount.ts'
import { useKitNetwork } from '../../kit/useKitNetwork.ts'
import { useModalView } from '../../kit/useModalView.ts'
import { useRainbowKit } from '../provider/RainbowKitContext.ts'
import type { AuthenticationStatus } from '../signIn/authenticationAdapter.ts'

/** The account, the network and the modal, for a connect button of the app. */
export type ConnectButtonState = {
  /** Undefined without a wallet. */
  account:
    | {
        address: string
        balanceDecimals?: number
        balanceFormatted?: string
        balanceSymbol?: string
        /** The balance with three decimals at most and its symbol. */
        displayBalance?: string
        /** The ENS name, or the shortened address. */
        displayName: string
        ensAvatar?: string
        ensName?: string
        hasPendingTransactions: boolean
      }
    | undefined
  /** Undefined without a wallet. */
  chain:
    | {
        hasIcon: boolean
        iconUrl?: string
        iconBackground?: string
        id: number
        name?: string
        /** True if the app does not use the network of the wallet. */
        unsupported?: boolean
      }
    | undefined
  openAccountModal(): void
  openChainModal(): void
  openConnectModal(): void
  accountModalOpen: boolean
  chainModalOpen: boolean
  connectModalOpen: boolean
  /** Undefined for an app without sign-in. */
  authenticationStatus: AuthenticationStatus | undefined
  /** False on a server and in the first rendering of the page. */
  mounted: boolean
}

/** Returns what a connect button shows, and the functions that it calls. */
export function useConnectButtonState(reads: KitAccountReads): ConnectButtonState {
  const { authenticationStatus } = useRainbowKit()
  const { open } = useModal()
  const view = useModalView()
  const network = useKitNetwork()
  const account = useKitAccount(reads)
  const isChainView = view === 'Networks' || view === 'UnsupportedChain'
  const isUnsigned = authenticationStatus !== undefined && authenticationStatus !== 'authenticated'
  const isConnectView = view !== undefined && !isChainView && (account === undefined || isUnsigned)
  return {
    account: account && toShownAccount(account),
    chain: network && { ...network, hasIcon: network.iconUrl !== undefined },
    openAccountModal: () => open({ namespace: 'eip155', entry: { view: 'Account', params: {} } }),
    openChainModal: () => open({ namespace: 'eip155', entry: { view: 'Networks', params: {} } }),
    openConnectModal() {
      const isSignIn = account !== undefined && isUnsigned
      open({ namespace: 'eip155', entry: isSignIn ? { view: 'SIWXSignMessage', params: {} } : undefined })
    },
    accountModalOpen: view !== undefined && !isChainView && !isConnectView,
    chainModalOpen: isChainView,
    connectModalOpen: isConnectView,
    authenticationStatus,
    mounted: useIsMounted(),
  }
}

function toShownAccount({ balance, ...account }: KitAccount): NonNullable<ConnectButtonState['account']> {
  if (balance === undefined) return account
  const { formatted, decimals, symbol } = balance
  return {
    ...account,
    balanceDecimals: decimals,
    balanceFormatted: formatted,
    balanceSymbol: symbol,
    displayBalance: `${shortenBalance(formatted)} ${symbol}`,
  }
}

/** Returns an amount with three decimals at most, rounded down. */
function shortenBalance(formatted: string): string {
  const [whole = '0', fraction = ''] = formatted.split('.')
  const decimals = fraction.slice(0, 3).replace(/0+$/, '')
  return decimals === '' ? whole : `${whole}.${decimals}`
}
