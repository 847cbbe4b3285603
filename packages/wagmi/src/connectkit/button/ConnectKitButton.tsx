import { ConnectButton as LatchkeyConnectButton, useAccount } from '@latchkey/react'
import type { ReactElement } from 'react'
import { KitAccountButton } from '../../kit/KitAccountButton.tsx'
import { useKitAccount } from '../../kit/useKitAccount.ts'
import { useConnectKit } from '../provider/ConnectKitContext.ts'
import { useModal } from '../hooks/useModal.ts'
import type { CustomTheme, Mode, Theme } from '../theme/theme.ts'
import { Avatar } from './Avatar.tsx'
import { CustomConnectKitButton } from './CustomConnectKitButton.tsx'

export type ConnectKitButtonProps = {
  /** The text without a wallet. "Connect" in the language of the provider if omitted, or in English with `onClick`. */
  label?: string
  /** True by default. */
  showAvatar?: boolean
  /** False by default. */
  showBalance?: boolean
  /** Has no effect: the theme of the provider applies to all buttons. */
  theme?: Theme
  /** The preference of the system, or that of the provider, by default. */
  mode?: Mode
  /** Has no effect: the theme of the provider applies to all buttons. */
  customTheme?: CustomTheme
  /** Called in place of opening the modal. It receives the function that opens it. */
  onClick?(open: () => void): void
}

/** The button, and a component for a button of the app. */
export type ConnectKitButtonComponent = {
  (props: ConnectKitButtonProps): ReactElement
  /**
   * Renders what its child returns. The child receives the account, the network, and functions that show and hide the modal.
   *
   * @example
   * <ConnectKitButton.Custom>
   *   {({ isConnected, show, truncatedAddress, ensName }) => (
   *     <button onClick={show}>{isConnected ? (ensName ?? truncatedAddress) : 'Connect'}</button>
   *   )}
   * </ConnectKitButton.Custom>
   */
  Custom: typeof CustomConnectKitButton
}

/**
 * Connects a wallet, and then shows the account. It opens the modal.
 *
 * @param props the text, and the parts that are shown
 * @returns a button
 * @throws Error outside of a `ConnectKitProvider`
 * @example <ConnectKitButton label="Sign in" showAvatar={false} />
 */
export const ConnectKitButton: ConnectKitButtonComponent = /* @__PURE__ */ Object.assign(AnyConnectKitButton, {
  Custom: CustomConnectKitButton,
})

function AnyConnectKitButton({ label, onClick, ...props }: ConnectKitButtonProps): ReactElement {
  const { status } = useAccount('eip155')
  const { theme } = useConnectKit()
  const { setOpen } = useModal()
  if (status === 'connected' || status === 'reconnecting') {
    return <AccountButton {...props} isRestoring={status === 'reconnecting'} onClick={onClick} />
  }
  if (onClick === undefined) return <LatchkeyConnectButton label={label} namespace="eip155" />
  return (
    <KitAccountButton theme={theme} isRestoring={false} onClick={() => onClick(() => setOpen(true))}>
      {label ?? 'Connect'}
    </KitAccountButton>
  )
}

type AccountButtonProps = Omit<ConnectKitButtonProps, 'label'> & { isRestoring: boolean }

function AccountButton({
  showAvatar = true,
  showBalance = false,
  mode,
  isRestoring,
  onClick,
}: AccountButtonProps): ReactElement {
  const { theme, options } = useConnectKit()
  const { hideBalance = true, truncateLongENSAddress = true } = options
  const account = useKitAccount({ showBalance: showBalance && !hideBalance, showName: true })
  const name = account?.displayName ?? ''
  const { balance } = account ?? {}
  return (
    <KitAccountButton
      theme={mode === undefined || mode === 'auto' ? theme : mode}
      isRestoring={isRestoring}
      onClick={onClick}
    >
      {balance !== undefined && (
        <span>
          {Number(balance.formatted).toFixed(2)} {balance.symbol}
        </span>
      )}
      {showAvatar && <Avatar address={account?.address} size={24} />}
      <span>{truncateLongENSAddress && name.length > 20 ? `${name.slice(0, 19)}…` : name}</span>
    </KitAccountButton>
  )
}
