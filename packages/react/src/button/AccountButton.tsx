import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useAccount } from '../hooks/useAccount.ts'
import { ServerStyles } from '../styles/ServerStyles.tsx'
import { buttonCss } from './button.css.ts'
import { AccountContent } from './AccountContent.tsx'
import { ButtonBoundary } from './ButtonBoundary.tsx'
import { useModalButton, type ButtonProps } from './useModalButton.ts'

export type AccountButtonProps = ButtonProps & {
  /** Shows the native balance next to the account. */
  showBalance?: boolean
  /** The namespace whose account is shown. The active namespace if omitted. */
  namespace?: Namespace
}

/**
 * Shows the connected account, and opens the account view. Renders nothing if no wallet is connected.
 *
 * @example <AccountButton showBalance />
 */
export function AccountButton(props: AccountButtonProps): ReactElement {
  return (
    <ButtonBoundary>
      <AccountButtonContent {...props} />
    </ButtonBoundary>
  )
}

function AccountButtonContent({ showBalance = false, namespace, ...props }: AccountButtonProps): ReactElement | null {
  const account = useAccount(namespace)
  const { attributes } = useModalButton({ namespace, entry: { view: 'Account', params: {} } }, props)
  if (account.status !== 'connected' && account.status !== 'reconnecting') return null
  return (
    <button {...attributes} data-account={account.status} data-balance={showBalance ? '' : undefined}>
      <ServerStyles css={buttonCss} />
      <AccountContent account={account} showBalance={showBalance} />
    </button>
  )
}
