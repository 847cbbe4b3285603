import type { ReactNode } from 'react'
import type { CustomAvatarProps } from './customAvatarProps.ts'

/** Options without an effect: the modal has no such part, or follows the system. */
type IgnoredOption =
  | 'avoidLayoutShift'
  | 'bufferPolyfill'
  | 'disableSiweRedirect'
  | 'disclaimer'
  | 'embedGoogleFonts'
  | 'ethereumOnboardingUrl'
  | 'hideNoWalletCTA'
  | 'hideQuestionMarkCTA'
  | 'hideRecentBadge'
  | 'hideTooltips'
  | 'reducedMotion'
  | 'walletConnectCTA'
  | 'walletConnectName'
  | 'walletOnboardingUrl'

/** The options of `ConnectKitProvider`. */
export type ConnectKitOptions = { readonly [option in IgnoredOption]?: unknown } & {
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
}
