import { switchNetwork, type SiweConfig, type UnsupportedNetworkPolicy } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { LatchkeyProvider, type Theme } from '@latchkey/react'
import { useEffect, type ReactElement, type ReactNode } from 'react'
import { useConfig } from 'wagmi'
import { bridgeWagmi } from '../bridgeWagmi.ts'
import { toChainId } from '../connectionSnapshot.ts'
import { getLatchkey } from '../getLatchkey.ts'
import { accountButtonCss } from './accountButton.css.ts'
import { createThemeSheet, type ThemeTokensByMode } from './themeTokens.ts'
import { useClientLayoutEffect } from './useClientLayoutEffect.ts'
import { useSheet } from './useSheet.ts'
import { useSiweConfig } from './useSiweConfig.ts'

/** The values that the provider of either original gives. */
export type KitProviderProps = {
  theme: Theme
  tokens: ThemeTokensByMode
  locale: string
  /** The network of users that have not chosen one. */
  initialChainId: number | undefined
  unsupportedNetworks?: UnsupportedNetworkPolicy
  /** The sign-in of the app. Undefined without one, or until its sessions are known. */
  siwe: SiweConfig | undefined
  children?: ReactNode
}

/**
 * Provides the instance of wagmi's configuration to hooks and buttons, keeps both consistent, and renders the modal.
 *
 * @throws LatchkeyError `wagmi/connector-missing`
 */
export function KitProvider({
  theme,
  tokens,
  locale,
  initialChainId,
  unsupportedNetworks,
  siwe,
  children,
}: KitProviderProps): ReactElement {
  const config = useConfig()
  const latchkey = getLatchkey(config)
  useSheet(createButtonSheet, 'buttons')
  useSheet(() => createThemeSheet(tokens), JSON.stringify(tokens))
  useClientLayoutEffect(() => {
    // Views read the settings when they open.
    if (unsupportedNetworks !== undefined) Object.assign(internalsOf(latchkey).settings, { unsupportedNetworks })
  }, [latchkey, unsupportedNetworks])
  useSiweConfig(siwe)
  useEffect(() => bridgeWagmi(latchkey, config), [latchkey, config])
  useInitialChain(initialChainId)
  return (
    <LatchkeyProvider latchkey={latchkey} theme={theme} locale={locale}>
      {children}
    </LatchkeyProvider>
  )
}

/** Selects the network of users without a wallet and without a choice of their own. */
function useInitialChain(chainId: number | undefined): void {
  const latchkey = getLatchkey(useConfig())
  useEffect(() => {
    if (chainId === undefined) return
    const { namespaces, chosen } = latchkey.wallet.getState()
    const isIdle = (namespaces.eip155?.status ?? 'disconnected') === 'disconnected'
    const isOffered = latchkey.networks.some(({ caipNetworkId }) => caipNetworkId === toChainId(chainId))
    // Without a wallet this only stores the choice, and can't fail.
    if (isIdle && isOffered && chosen.eip155 === undefined) void switchNetwork(latchkey, toChainId(chainId))
  }, [latchkey, chainId])
}

function createButtonSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(accountButtonCss)
  return sheet
}
