import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useSurroundings } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { buttonStrings } from '../strings/button.ts'
import { AccountFace } from './AccountFace.tsx'
import { useModalButton, type ButtonProps } from './useModalButton.ts'

export type ConnectButtonProps = ButtonProps & {
  /** What it says while nobody is connected; "Connect" in the provider's language when left out. */
  label?: string
  /** What it says while a wallet is asked. */
  loadingLabel?: string
  /** Shows the native balance beside the account. */
  showBalance?: boolean
  /** The chain family to connect and to show; the active one when left out. */
  namespace?: Namespace
}

/**
 * Opens the modal: to connect, or to show the connected account. Its width is the same in every state.
 *
 * @example <ConnectButton label="Sign in" />
 */
export function ConnectButton({
  label,
  loadingLabel,
  showBalance = false,
  namespace,
  ...props
}: ConnectButtonProps): ReactElement {
  const { texts, strings } = useSurroundings()
  const account = useAccount(namespace)
  const { attributes, failed } = useModalButton({ namespace }, props)
  const t = { ...buttonStrings, ...texts?.button, ...strings?.button }
  const calm = failed ? t.failed : (label ?? t.connect)
  const busy = loadingLabel ?? t.connecting
  const hasAccount = account.status === 'connected' || account.status === 'reconnecting'
  return (
    <button
      {...attributes}
      data-account={hasAccount ? account.status : undefined}
      data-balance={showBalance ? '' : undefined}
      data-label={calm}
      data-busy={busy}
    >
      {hasAccount ? (
        <AccountFace account={account} namespace={namespace} showBalance={showBalance} />
      ) : (
        <span>{account.status === 'connecting' ? busy : calm}</span>
      )}
    </button>
  )
}
