import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useSurroundings } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { ServerStyles } from '../styles/ServerStyles.tsx'
import { buttonsEnglish } from '@latchkey/modal/messages'
import { buttonCss } from './button.css.ts'
import { AccountContent } from './AccountContent.tsx'
import { ButtonBoundary } from './ButtonBoundary.tsx'
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

/**
 * Opens the modal: to connect, or to show the connected account. Its width does not change between states.
 *
 * @example <ConnectButton label="Sign in" />
 */
export function ConnectButton(props: ConnectButtonProps): ReactElement {
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
  const { texts, strings } = useSurroundings()
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
        <AccountContent account={account} namespace={namespace} showBalance={showBalance} />
      ) : (
        <span>{account.status === 'connecting' ? busy : idleLabel}</span>
      )}
    </button>
  )
}
