import { useAccount, useModal as useLatchkeyModal } from '@latchkey/react'
import type { ViewEntry } from '@latchkey/modal'
import { useModalView } from '../../kit/useModalView.ts'
import { useConnectKit } from '../provider/ConnectKitContext.ts'

/**
 * Returns the state of the modal, and functions that open its views. Functions whose view needs another state do nothing.
 *
 * @returns `open` is true while the modal is open
 * @throws Error outside of a `ConnectKitProvider`
 * @example
 * const { openProfile, setOpen } = useModal()
 * <button onClick={() => setOpen(true)}>Connect</button>
 */
export function useModal(): {
  open: boolean
  setOpen(isOpen: boolean): void
  /** Explains what a wallet is. Does nothing with a wallet. */
  openAbout(): void
  /** Leads to wallets to install. Does nothing with a wallet. */
  openOnboarding(): void
  /** Shows the account. Does nothing without a wallet. */
  openProfile(): void
  /** Does nothing without a wallet. */
  openSwitchNetworks(): void
  /** Asks the user to sign in. Does nothing without a wallet, or without a `SIWEProvider`. */
  openSIWE(): void
} {
  const { hasSignIn } = useConnectKit()
  const { open, close } = useLatchkeyModal()
  const { status } = useAccount('eip155')
  const view = useModalView()
  const isConnected = status === 'connected'
  const openWhen = (isPossible: boolean, entry: ViewEntry) => () => {
    if (isPossible) open({ namespace: 'eip155', entry })
  }
  return {
    open: view !== undefined,
    setOpen: (isOpen) => (isOpen ? open({ namespace: 'eip155' }) : close()),
    openAbout: openWhen(!isConnected, { view: 'WhatIsAWallet', params: {} }),
    openOnboarding: openWhen(!isConnected, { view: 'GetWallet', params: {} }),
    openProfile: openWhen(isConnected, { view: 'Account', params: {} }),
    openSwitchNetworks: openWhen(isConnected, { view: 'Networks', params: {} }),
    openSIWE: openWhen(isConnected && hasSignIn, { view: 'SIWXSignMessage', params: {} }),
  }
}
