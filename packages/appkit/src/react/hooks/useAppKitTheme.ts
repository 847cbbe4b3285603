import type { AppKit } from '../../instance/appKit.ts'
import type { ThemeState } from '../../instance/appKitContext.ts'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the theme, and functions that change it.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * const { setThemeMode } = useAppKitTheme()
 * setThemeMode('dark')
 */
export function useAppKitTheme(): ThemeState & Pick<AppKit, 'setThemeMode' | 'setThemeVariables'> {
  const { context, setThemeMode, setThemeVariables } = useCurrentAppKit()
  return { ...useAppKitStore(context.look), setThemeMode, setThemeVariables }
}
