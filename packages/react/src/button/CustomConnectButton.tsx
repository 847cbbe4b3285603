import type { AccountState } from '@latchkey/core'
import type { Namespace, Network } from '@latchkey/protocol'
import type { ReactElement, ReactNode } from 'react'
import { useAccount } from '../hooks/useAccount.ts'
import { useBalanceText } from './useBalanceText.ts'
import { useOpenModal } from './useOpenModal.ts'

/** The values and functions for a connect button of your own. */
export type ConnectButtonState = {
  status: AccountState['status']
  account: AccountState
  /** The network of the account, or the one to connect to. */
  chain: Network | undefined
  /** The native balance with its symbol, such as `1.234 ETH`. Undefined until it is known. */
  balance: string | undefined
  openConnect(): void
  openAccount(): void
  openNetworks(): void
}

export type CustomConnectButtonProps = {
  children(state: ConnectButtonState): ReactNode
  /** False to not read the balance. Default: true. */
  showBalance?: boolean
  /** The namespace to connect and show. The active namespace if omitted. */
  namespace?: Namespace
}

/** Renders a connect button of the app: `ConnectButton.Custom`. */
export function CustomConnectButton({
  children,
  showBalance = true,
  namespace,
}: CustomConnectButtonProps): ReactElement {
  const account = useAccount(namespace)
  const { open } = useOpenModal()
  const openView = (view: 'Connect' | 'Account' | 'Networks') => () => open({ namespace, entry: { view, params: {} } })
  return (
    <>
      {children({
        status: account.status,
        account,
        chain: account.network,
        balance: useBalanceText(account, showBalance),
        openConnect: openView('Connect'),
        openAccount: openView('Account'),
        openNetworks: openView('Networks'),
      })}
    </>
  )
}
