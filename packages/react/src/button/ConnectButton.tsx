import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { ServerStyles } from '../styles/ServerStyles.tsx'
import { buttonsEnglish } from '@latchkey/modal/messages'
import { buttonCss } from './button.css.ts'
import { AccountContent } from './AccountContent.tsx'
import { ButtonBoundary } from './ButtonBoundary.tsx'
import { CustomConnectButton } from './CustomConnectButton.tsx'
import { useModalButton, type ButtonProps } from './useModalButton.ts'

export type ConnectButtonProps = ButtonProps & {
  /** The text while no wallet is connected. "Connect" in the provider's language if omitted. */
  label?: string
  /** The text while a connection is pending. */
  loadingLabel?: string
  /** Shows the native balance next to the account. */
  showBalance?: boolean
  /** The namespace to connect and show. The active namespace if omitted. */
  namespace?: Namespace
}

/** The button, and a component for a button of your own. */
export type ConnectButtonComponent = {
  (props: ConnectButtonProps): ReactElement
  /**
   * Renders what its child returns. The child receives the account, the network, the balance, the status, and functions
   * that open the modal.
   *
   * @example
   * <ConnectButton.Custom>
   *   {({ status, balance, openConnect, openAccount }) =>
   *     status === 'connected' ? <button onClick={openAccount}>{balance}</button> : <button onClick={openConnect}>Connect</button>
   *   }
   * </ConnectButton.Custom>
   */
  Custom: typeof CustomConnectButton
}

/**
 * Opens the modal: to connect, or to show the connected account. Its width does not change between states.
 *
 * @example <ConnectButton label="Sign in" />
 */
export const ConnectButton: ConnectButtonComponent = /* @__PURE__ */ Object.assign(GuardedConnectButton, {
  Custom: CustomConnectButton,
})

function GuardedConnectButton(props: ConnectButtonProps): ReactElement {
  return (
    <ButtonBoundary>
      <ConnectButtonContent {...props} />
    </ButtonBoundary>
  )
}

function ConnectButtonContent({
  label,
  loadingLabel,
  showBalance = false,
  namespace,
  ...props
}: ConnectButtonProps): ReactElement {
  const { texts, strings } = useLatchkeyContext()
  const account = useAccount(namespace)
  const { attributes, failed } = useModalButton({ namespace }, props)
  const t = { ...buttonsEnglish.button, ...texts?.button, ...strings?.button }
  const idleLabel = failed ? t.failed : (label ?? t.connect)
  const busy = loadingLabel ?? t.connecting
  const hasAccount = account.status === 'connected' || account.status === 'reconnecting'
  return (
    <button
      {...attributes}
      data-account={hasAccount ? account.status : undefined}
      data-balance={showBalance ? '' : undefined}
      data-label={idleLabel}
      data-busy={busy}
    >
      <ServerStyles css={buttonCss} />
      {hasAccount ? (
        <AccountContent account={account} showBalance={showBalance} />
      ) : (
        <span>{account.status === 'connecting' ? busy : idleLabel}</span>
      )}
    </button>
  )
}
