import type { ReactNode } from 'react'
import type { CustomTheme, Mode, Theme } from '../theme/connectKitTheme.ts'

export type { CustomTheme, Mode, Theme }

/** The props of an avatar of the app. */
export type CustomAvatarProps = {
  address?: string | undefined
  ensName?: string | undefined
  ensImage?: string
  size: number
  radius: number
}

/** The options of `ConnectKitProvider`. */
export type ConnectKitOptions = {
  /** A BCP 47 tag. English by default. */
  language?: string
  /** Hides the balance in the buttons of the page. True by default in the original, and here. */
  hideBalance?: boolean
  /** Renders the avatars of the page. The modal shows Latchkey's own. */
  customAvatar?: (props: CustomAvatarProps) => ReactNode
  /** The network of users that have not chosen one. 0 for that of the wallet. */
  initialChainId?: number
  /** True if a wallet must be on a network of the app. False by default: the user is only informed. */
  enforceSupportedChains?: boolean
  /** The blur behind the modal, in pixels. */
  overlayBlur?: number
  /** Shortens long ENS names in the buttons of the page. True by default. */
  truncateLongENSAddress?: boolean
  /** Has no effect, like all options below: the modal has no such part. */
  hideTooltips?: boolean
  hideQuestionMarkCTA?: boolean
  hideNoWalletCTA?: boolean
  hideRecentBadge?: boolean
  avoidLayoutShift?: boolean
  bufferPolyfill?: boolean
  disclaimer?: ReactNode
  disableSiweRedirect?: boolean
  embedGoogleFonts?: boolean
  ethereumOnboardingUrl?: string
  reducedMotion?: boolean
  walletConnectCTA?: 'both' | 'link' | 'modal'
  walletConnectName?: string
  walletOnboardingUrl?: string
}
