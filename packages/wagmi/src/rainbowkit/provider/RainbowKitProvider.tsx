import { useContext, useMemo, type ReactElement, type ReactNode } from 'react'
import type { Chain } from 'viem'
import { KitProvider } from '../../kit/KitProvider.tsx'
import type { ThemeTokensByMode } from '../../kit/themeTokens.ts'
import { AuthenticationContext } from '../signIn/RainbowKitAuthenticationProvider.tsx'
import { useAdapterSignIn } from '../signIn/useAdapterSignIn.ts'
import { lightTheme } from '../theme/lightTheme.ts'
import type { Theme } from '../theme/theme.ts'
import { toThemeTokens } from '../theme/toThemeTokens.ts'
import type { AvatarComponent } from './avatarComponent.ts'
import type { DisclaimerComponent } from './disclaimerComponent.ts'
import type { Locale } from './locale.ts'
import { RainbowKitContext } from './RainbowKitContext.ts'

export type RainbowKitProviderProps = {
  /** A theme, or one for each mode of the system. Light by default; null for Latchkey's own with the mode of the system. */
  theme?: Theme | { lightMode: Theme; darkMode: Theme } | null
  /** Has no effect: the modal has one layout. */
  modalSize?: 'compact' | 'wide'
  /** A BCP 47 tag. The language of the browser by default. */
  locale?: Locale
  /** The network of users that have not chosen one: a chain or its id. */
  initialChain?: Chain | number
  /** Has no effect: the app's name comes from `getDefaultConfig`, and documents to accept from `latchkey.legal`. */
  appInfo?: { appName?: string; learnMoreUrl?: string; disclaimer?: DisclaimerComponent }
  /** Renders the avatars of the buttons. */
  avatar?: AvatarComponent
  /** True if the hook `useAddRecentTransaction` reports the outcome of transactions. */
  showRecentTransactions?: boolean
  /** Has no effect. */
  coolMode?: boolean
  /** Has no effect: no element is added around the children. */
  id?: string
  children?: ReactNode
}

/**
 * Provides Latchkey to the buttons and hooks below, and renders its modal. Render it inside `WagmiProvider` and
 * `QueryClientProvider`.
 *
 * @param props the theme, the language and the first network
 * @returns the children, and the modal while it is open
 * @throws LatchkeyError `wagmi/connector-missing` if the configuration of wagmi was not created with `getDefaultConfig` or
 * `connectorsForWallets`
 * @example
 * <RainbowKitProvider theme={darkTheme()} locale="de">
 *   <main />
 * </RainbowKitProvider>
 */
export function RainbowKitProvider({
  theme = lightTheme(),
  locale = 'auto',
  initialChain,
  avatar,
  showRecentTransactions = false,
  children,
}: RainbowKitProviderProps): ReactElement {
  const authentication = useContext(AuthenticationContext)
  const siwe = useAdapterSignIn(authentication)
  const authenticationStatus = authentication?.status
  const mode = modeOf(theme)
  const values = useMemo(
    () => ({ theme: mode, avatar, showRecentTransactions, authenticationStatus }),
    [mode, avatar, showRecentTransactions, authenticationStatus],
  )
  return (
    <RainbowKitContext.Provider value={values}>
      <KitProvider
        theme={mode}
        tokens={tokensOf(theme)}
        locale={locale}
        initialChainId={typeof initialChain === 'object' ? initialChain.id : initialChain}
        siwe={siwe}
      >
        {children}
      </KitProvider>
    </RainbowKitContext.Provider>
  )
}

type ThemeProp = NonNullable<RainbowKitProviderProps['theme']> | null

function modeOf(theme: ThemeProp): 'light' | 'dark' | 'system' {
  if (theme === null || 'lightMode' in theme) return 'system'
  return theme.mode ?? 'light'
}

/** Returns the tokens of each mode of the system. They are the same if the app has one theme. */
function tokensOf(theme: ThemeProp): ThemeTokensByMode {
  const { lightMode, darkMode } =
    theme !== null && 'lightMode' in theme ? theme : { lightMode: theme ?? {}, darkMode: theme ?? {} }
  return { light: toThemeTokens(lightMode), dark: toThemeTokens(darkMode) }
}
