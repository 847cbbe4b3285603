import type { AccountState } from '@latchkey/core'
import type { Namespace, Network } from '@latchkey/protocol'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useChunk } from '../useChunk.ts'
import { useLatchkeyContext } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
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

const loadBalanceText = (): Promise<typeof import('./watchBalanceText.ts')> => import('./watchBalanceText.ts')

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

/** Returns the formatted balance. The code that reads it is loaded once a wallet is connected. */
function useBalanceText(account: AccountState, isWanted: boolean): string | undefined {
  const { latchkey, locale } = useLatchkeyContext()
  const wanted = isWanted && account.status === 'connected'
  const chunk = useChunk(loadBalanceText, wanted)
  const [read, setRead] = useState<{ account: AccountState; text: string | undefined }>()
  useEffect(() => {
    if (!wanted || chunk === undefined || chunk === 'failed') return
    return chunk.watchBalanceText({ latchkey, account, locale }, (text) => setRead({ account, text }))
  }, [wanted, chunk, latchkey, account, locale])
  return wanted && read?.account === account ? read.text : undefined
}
