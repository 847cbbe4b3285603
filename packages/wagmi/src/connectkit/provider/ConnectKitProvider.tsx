import { parseAccountId } from '@latchkey/protocol'
import { useContext, useEffect, useMemo, type ReactElement, type ReactNode } from 'react'
import { useConfig } from 'wagmi'
import { KitProvider } from '../../kit/KitProvider.tsx'
import { getLatchkey } from '../../getLatchkey.ts'
import { SIWEContext } from '../signIn/SIWEProvider.tsx'
import type { CustomTheme, Mode, Theme } from '../theme/theme.ts'
import { toThemeTokens } from '../theme/toThemeTokens.ts'
import { ConnectKitContext } from './ConnectKitContext.ts'
import type { ConnectKitOptions } from './connectKitOptions.ts'

export type ConnectKitProviderProps = {
  /** `auto` by default: Latchkey's own. */
  theme?: Theme
  /** The preference of the system by default. */
  mode?: Mode
  /** Variables that replace those of the theme. */
  customTheme?: CustomTheme
  options?: ConnectKitOptions
  /** Called when a wallet connects or a connection is restored. */
  onConnect?(connection: { address?: string; connectorId?: string }): void
  onDisconnect?(): void
  /** Has no effect: problems of an app are shown in the modal during development. */
  debugMode?: boolean
  children?: ReactNode
}

const noVariables: CustomTheme = {}
const noOptions: ConnectKitOptions = {}

/**
 * Provides Latchkey to the buttons and hooks below, and renders its modal. Render it inside `WagmiProvider` and
 * `QueryClientProvider`.
 *
 * @param props the theme, the options, and functions that are called when a wallet connects and disconnects
 * @returns the children, and the modal while it is open
 * @throws LatchkeyError `wagmi/connector-missing` if the configuration of wagmi was not created with `getDefaultConfig`
 * @example
 * <ConnectKitProvider mode="dark" options={{ initialChainId: 1 }}>
 *   <main />
 * </ConnectKitProvider>
 */
export function ConnectKitProvider({
  theme = 'auto',
  mode = 'auto',
  customTheme = noVariables,
  options = noOptions,
  onConnect,
  onDisconnect,
  children,
}: ConnectKitProviderProps): ReactElement {
  const siwe = useContext(SIWEContext)
  const hasSignIn = siwe !== undefined
  const shownMode = resolveMode(mode, theme)
  const values = useMemo(() => ({ theme: shownMode, options, hasSignIn }), [shownMode, options, hasSignIn])
  useConnectionCallbacks({ onConnect, onDisconnect })
  const tokens = toThemeTokens(theme, customTheme, options.overlayBlur)
  return (
    <ConnectKitContext.Provider value={values}>
      <KitProvider
        theme={shownMode}
        tokens={{ light: tokens, dark: tokens }}
        locale={options.language ?? 'en'}
        initialChainId={options.initialChainId === 0 ? undefined : options.initialChainId}
        unsupportedNetworks={options.enforceSupportedChains === true ? 'require' : 'inform'}
        siwe={siwe}
      >
        {children}
      </KitProvider>
    </ConnectKitContext.Provider>
  )
}

/** The theme `midnight` is always dark. */
function resolveMode(mode: Mode, theme: Theme): 'dark' | 'light' | 'system' {
  if (mode !== 'auto') return mode
  return theme === 'midnight' ? 'dark' : 'system'
}

type ConnectionCallbacks = Pick<ConnectKitProviderProps, 'onConnect' | 'onDisconnect'>

function useConnectionCallbacks({ onConnect, onDisconnect }: ConnectionCallbacks): void {
  const latchkey = getLatchkey(useConfig())
  useEffect(
    () =>
      latchkey.events.subscribe((event) => {
        if (event.type === 'disconnect' && event.namespace === 'eip155') onDisconnect?.()
        if (event.type !== 'connect') return
        const { namespace, address } = parseAccountId(event.account)
        if (namespace === 'eip155') onConnect?.({ address, connectorId: event.connectorId })
      }),
    [latchkey, onConnect, onDisconnect],
  )
}
