import { WalletButton as LatchkeyWalletButton } from '@latchkey/react'
import type { ReactElement } from 'react'
import { CustomWalletButton } from './CustomWalletButton.tsx'
import { toWalletId } from './toWalletId.ts'

export type WalletButtonProps = {
  /** The id of the wallet, its reverse-DNS name, or its name in any case. */
  wallet?: string
}

/** The button, and a component for a button of the app. */
export type WalletButtonComponent = {
  (props: WalletButtonProps): ReactElement
  /**
   * Renders what its child returns. The child receives the wallet, the state of its connection, and a function that connects it.
   *
   * @example
   * <WalletButton.Custom wallet="metamask">
   *   {({ ready, connect, connector }) => (
   *     <button disabled={!ready} onClick={connect}>{connector.name}</button>
   *   )}
   * </WalletButton.Custom>
   */
  Custom: typeof CustomWalletButton
}

/**
 * Connects one wallet without showing a list. The modal opens only if the wallet is not available in the page.
 *
 * @param props the wallet; MetaMask if omitted
 * @returns a button
 * @throws Error outside of a `RainbowKitProvider`
 * @example <WalletButton wallet="rainbow" />
 */
export const WalletButton: WalletButtonComponent = /* @__PURE__ */ Object.assign(RainbowKitWalletButton, {
  Custom: CustomWalletButton,
})

function RainbowKitWalletButton({ wallet = 'metamask' }: WalletButtonProps): ReactElement {
  return <LatchkeyWalletButton wallet={toWalletId(wallet)} namespace="eip155" />
}
