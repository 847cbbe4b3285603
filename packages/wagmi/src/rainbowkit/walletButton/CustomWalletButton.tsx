import { useAccount } from '@latchkey/react'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useIsMounted } from '../../kit/useIsMounted.ts'
import { toWalletId } from './toWalletId.ts'
import { useNamedWallet } from './useNamedWallet.ts'

/** One wallet and the state of its connection, for a button of the app. */
export type WalletButtonState = {
  /** True if a user can press the button: the page is mounted and no connection is pending. */
  ready: boolean
  /** True if this wallet is connected. */
  connected: boolean
  /** True while this wallet is asked to connect. */
  loading: boolean
  /** True after the last attempt failed. */
  error: boolean
  mounted: boolean
  connector: { id: string; name: string; icon: string | undefined }
  /** Connects the wallet. Never rejects: a failure is shown by `error`. */
  connect(): Promise<void>
}

export type CustomWalletButtonProps = {
  /** The id of the wallet, its reverse-DNS name, or its name in any case. */
  wallet: string
  children(state: WalletButtonState): ReactNode
}

/** Renders a wallet button of the app: `WalletButton.Custom`. */
export function CustomWalletButton({ wallet, children }: CustomWalletButtonProps): ReactElement {
  const account = useAccount('eip155')
  const mounted = useIsMounted()
  const [outcome, setOutcome] = useState<'failed' | 'pending'>()
  const id = toWalletId(wallet)
  const { connector: found, connect } = useNamedWallet(id)
  const isPending = outcome === 'pending'
  return (
    <>
      {children({
        ready: mounted && !isPending,
        connected: found !== undefined && account.status === 'connected' && account.connectorId === found.id,
        loading: isPending,
        error: outcome === 'failed',
        mounted,
        connector: { id: found?.id ?? id, name: found?.name ?? wallet, icon: found?.icon },
        async connect() {
          if (isPending) return
          setOutcome('pending')
          try {
            await connect()
            setOutcome(undefined)
          } catch {
            setOutcome('failed')
          }
        },
      })}
    </>
  )
}
