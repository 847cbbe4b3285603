/** What the button of one wallet says beside the wallet's name. */
export type WalletButtonStrings = {
  connecting: string
  /** Connecting did not work; the next press tries again. */
  failed: string
}

export const walletButtonStrings: WalletButtonStrings = {
  connecting: 'Connecting…',
  failed: 'Try again',
}
