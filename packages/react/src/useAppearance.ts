import { useEffect, useSyncExternalStore } from 'react'
import type { LatchkeyContextValue } from './context.ts'
import { useStore } from './useStore.ts'

const dark = '(prefers-color-scheme: dark)'

/** Passes the theme and language of the modal to wallets with their own screens, whenever they change. */
export function useAppearance({ latchkey, theme, locale }: LatchkeyContextValue): void {
  const connectors = useStore(latchkey.connectors)
  const isDark = useSyncExternalStore(
    subscribeToDarkMode,
    () => matchMedia(dark).matches,
    () => false,
  )
  const themeMode = theme === 'system' ? (isDark ? 'dark' : 'light') : theme
  useEffect(() => {
    for (const { login } of connectors) login?.setAppearance?.({ themeMode, language: locale })
  }, [connectors, themeMode, locale])
}

function subscribeToDarkMode(onChange: () => void): () => void {
  const preference = matchMedia(dark)
  preference.addEventListener('change', onChange)
  return () => preference.removeEventListener('change', onChange)
}
