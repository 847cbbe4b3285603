type ColorName =
  | 'accentColor'
  | 'accentColorForeground'
  | 'actionButtonBorder'
  | 'actionButtonBorderMobile'
  | 'actionButtonSecondaryBackground'
  | 'closeButton'
  | 'closeButtonBackground'
  | 'connectButtonBackground'
  | 'connectButtonBackgroundError'
  | 'connectButtonInnerBackground'
  | 'connectButtonText'
  | 'connectButtonTextError'
  | 'connectionIndicator'
  | 'downloadBottomCardBackground'
  | 'downloadTopCardBackground'
  | 'error'
  | 'generalBorder'
  | 'generalBorderDim'
  | 'menuItemBackground'
  | 'modalBackdrop'
  | 'modalBackground'
  | 'modalBorder'
  | 'modalText'
  | 'modalTextDim'
  | 'modalTextSecondary'
  | 'profileAction'
  | 'profileActionHover'
  | 'profileForeground'
  | 'selectedOptionBorder'
  | 'standby'

type RadiusName = 'actionButton' | 'connectButton' | 'menuButton' | 'modal' | 'modalMobile'

type ShadowName =
  | 'connectButton'
  | 'dialog'
  | 'profileDetailsAction'
  | 'selectedOption'
  | 'selectedWallet'
  | 'walletLogo'

/**
 * A theme. Every value is CSS. Values that are left out have Latchkey's default; docs/from-rainbowkit.md lists those that have an
 * effect.
 */
export type Theme = {
  readonly blurs?: { readonly modalOverlay?: string }
  readonly colors?: { readonly [name in ColorName]?: string }
  readonly fonts?: { readonly body?: string }
  readonly radii?: { readonly [name in RadiusName]?: string }
  readonly shadows?: { readonly [name in ShadowName]?: string }
  /** The mode whose defaults apply to values that are left out. Light by default. The original has no such field. */
  readonly mode?: 'light' | 'dark'
}

/** The options of `lightTheme`, `darkTheme` and `midnightTheme`. */
export type ThemeOptions = {
  accentColor?: string
  accentColorForeground?: string
  borderRadius?: 'large' | 'medium' | 'none' | 'small'
  fontStack?: 'rounded' | 'system'
  overlayBlur?: 'large' | 'none' | 'small'
}

/** The accent colours that themes offer, for `lightTheme(lightTheme.accentColors.green)`. */
export type AccentColors = {
  readonly [name in 'blue' | 'green' | 'orange' | 'pink' | 'purple' | 'red']: Required<
    Pick<ThemeOptions, 'accentColor' | 'accentColorForeground'>
  >
}

/** A function that creates a theme, with its accent colours. */
export type ThemeFunction = {
  (options?: ThemeOptions): Theme
  readonly accentColors: AccentColors
}
