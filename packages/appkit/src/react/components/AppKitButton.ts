import type { Namespace } from '@latchkey/protocol'
import { createElement, type ReactElement } from 'react'
import { useCurrentAppKit } from '../hooks/useCurrentAppKit.ts'

/** The attributes that the elements share. */
export type AppKitElementProps = {
  disabled?: boolean
  size?: 'md' | 'sm'
  label?: string
  loadingLabel?: string
  balance?: 'show' | 'hide'
  /** Has no effect: addresses are always shortened in the same way. */
  charsStart?: number
  /** Has no effect: addresses are always shortened in the same way. */
  charsEnd?: number
  namespace?: Namespace
}

/**
 * Shows the connected account, or connects a wallet.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example <AppKitButton balance="show" />
 */
export function AppKitButton(props: AppKitElementProps): ReactElement {
  return useElement('appkit-button', props)
}

/**
 * Connects a wallet.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example <AppKitConnectButton label="Sign in" />
 */
export function AppKitConnectButton(props: AppKitElementProps): ReactElement {
  return useElement('appkit-connect-button', props)
}

/**
 * Shows the connected account. Renders nothing without one.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example <AppKitAccountButton balance="hide" />
 */
export function AppKitAccountButton(props: AppKitElementProps): ReactElement {
  return useElement('appkit-account-button', props)
}

/**
 * Shows the network, and opens the list of networks.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example <AppKitNetworkButton />
 */
export function AppKitNetworkButton(props: AppKitElementProps): ReactElement {
  return useElement('appkit-network-button', props)
}

/**
 * Connects one wallet.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example <AppKitWalletButton wallet="metamask" />
 */
export function AppKitWalletButton(props: AppKitElementProps & { wallet: string }): ReactElement {
  return useElement('appkit-wallet-button', props)
}

/**
 * Creates an element. Attributes are strings, because React 18 and 19 pass other values to elements in different ways.
 */
function useElement(name: string, { disabled = false, loadingLabel, ...props }: AppKitElementProps): ReactElement {
  useCurrentAppKit()
  const { charsStart: _start, charsEnd: _end, ...shown } = props
  return createElement(name, {
    ...shown,
    ...(disabled && { disabled: '' }),
    ...(loadingLabel !== undefined && { 'loading-label': loadingLabel }),
  })
}
