import { ConnectButton as LatchkeyConnectButton, NetworkButton, useAccount } from '@latchkey/react'
import type { ReactElement, ReactNode } from 'react'
import { KitAccountButton } from '../../kit/KitAccountButton.tsx'
import { KitAvatar } from '../../kit/KitAvatar.tsx'
import { useRainbowKit } from '../provider/RainbowKitContext.ts'
import { CustomConnectButton } from './CustomConnectButton.tsx'
import { useConnectButtonState, type ConnectButtonState } from './useConnectButtonState.ts'
import { useIsLargeScreen } from './useIsLargeScreen.ts'

/** A value, or one for screens of at least 768 pixels and one for others. */
export type ResponsiveValue<value> = value | { smallScreen: value; largeScreen?: value }

export type ConnectButtonProps = {
  /**
   * The text without a wallet. "Connect" in the language of the provider if omitted. Also the text until a user with a wallet
   * signs in; "Sign in" in English if omitted.
   */
  label?: string
  /** The parts of the account that are shown. `full` by default. */
  accountStatus?: ResponsiveValue<'address' | 'avatar' | 'full'>
  /** The parts of the network that are shown. `full` by default, and the icon on small screens. */
  chainStatus?: ResponsiveValue<'full' | 'icon' | 'name' | 'none'>
  /** True by default on large screens. */
  showBalance?: ResponsiveValue<boolean>
}

/** The button, and a component for a button of the app. */
export type ConnectButtonComponent = {
  (props: ConnectButtonProps): ReactElement
  /**
   * Renders what its child returns. The child receives the account, the network, and functions that open the modal.
   *
   * @example
   * <ConnectButton.Custom>
   *   {({ account, openAccountModal, openConnectModal, mounted }) =>
   *     mounted && account !== undefined ? (
   *       <button onClick={openAccountModal}>{account.displayName}</button>
   *     ) : (
   *       <button onClick={openConnectModal}>Connect</button>
   *     )
   *   }
   * </ConnectButton.Custom>
   */
  Custom: typeof CustomConnectButton
}

/**
 * Connects a wallet, and then shows the network and the account. Each opens the modal.
 *
 * @param props the text, and the parts that are shown
 * @returns one button without a wallet, up to two with one
 * @throws Error outside of a `RainbowKitProvider`
 * @example <ConnectButton accountStatus={{ smallScreen: 'avatar', largeScreen: 'full' }} showBalance={false} />
 */
export const ConnectButton: ConnectButtonComponent = /* @__PURE__ */ Object.assign(RainbowKitConnectButton, {
  Custom: CustomConnectButton,
})

function RainbowKitConnectButton({
  label,
  accountStatus = 'full',
  chainStatus = { smallScreen: 'icon', largeScreen: 'full' },
  showBalance = { smallScreen: false, largeScreen: true },
}: ConnectButtonProps): ReactElement {
  const isLarge = useIsLargeScreen()
  const showsBalance = resolveValue(showBalance, isLarge)
  const state = useConnectButtonState({ showBalance: showsBalance, showName: true })
  const { account, authenticationStatus } = state
  if (account === undefined) return <LatchkeyConnectButton label={label} namespace="eip155" />
  if (authenticationStatus !== undefined && authenticationStatus !== 'authenticated') {
    return <SignInButton label={label} state={state} />
  }
  const chain = resolveValue(chainStatus, isLarge)
  return (
    <div className="latchkey-kit" data-chain={chain}>
      {chain !== 'none' && <NetworkButton namespace="eip155" />}
      <Account account={account} parts={resolveValue(accountStatus, isLarge)} />
    </div>
  )
}

function resolveValue<value>(responsive: ResponsiveValue<value>, isLarge: boolean): value {
  const isObject = typeof responsive === 'object' && responsive !== null && 'smallScreen' in responsive
  if (!isObject) return responsive
  return isLarge ? (responsive.largeScreen ?? responsive.smallScreen) : responsive.smallScreen
}

/** The button of a user whose wallet is connected, and who is not signed in. */
function SignInButton({ label = 'Sign in', state }: { label?: string; state: ConnectButtonState }): ReactElement {
  const { theme } = useRainbowKit()
  return (
    <KitAccountButton
      theme={theme}
      isRestoring={state.authenticationStatus === 'loading'}
      onClick={state.openConnectModal}
    >
      {label}
    </KitAccountButton>
  )
}

type AccountProps = { account: NonNullable<ConnectButtonState['account']>; parts: 'address' | 'avatar' | 'full' }

function Account({ account, parts }: AccountProps): ReactElement {
  const { theme } = useRainbowKit()
  const { status } = useAccount('eip155')
  const { address, displayBalance, displayName, ensAvatar } = account
  return (
    <KitAccountButton
      theme={theme}
      label={parts === 'avatar' ? displayName : undefined}
      isRestoring={status === 'reconnecting'}
    >
      {displayBalance !== undefined && <span>{displayBalance}</span>}
      {parts !== 'address' && <AccountAvatar address={address} ensAvatar={ensAvatar} />}
      {parts !== 'avatar' && <span>{displayName}</span>}
    </KitAccountButton>
  )
}

function AccountAvatar({ address, ensAvatar }: { address: string; ensAvatar: string | undefined }): ReactNode {
  const { avatar: Custom } = useRainbowKit()
  if (Custom !== undefined) return <Custom address={address} ensImage={ensAvatar ?? null} size={24} />
  return <KitAvatar address={address} image={ensAvatar} size={24} />
}
