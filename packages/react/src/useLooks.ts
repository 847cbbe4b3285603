import { useEffect, useSyncExternalStore } from 'react'
import type { Surroundings } from './context.ts'
import { useStore } from './useStore.ts'

const dark = '(prefers-color-scheme: dark)'

/** Tells wallets that draw screens of their own how the modal looks and speaks, whenever that changes. */
export function useLooks({ latchkey, theme, locale }: Surroundings): void {
  const connectors = useStore(latchkey.connectors)
  const isDark = useSyncExternalStore(
    followDark,
    () => matchMedia(dark).matches,
    () => false,
  )
  const themeMode = theme === 'system' ? (isDark ? 'dark' : 'light') : theme
  useEffect(() => {
    for (const { login } of connectors) login?.look?.({ themeMode, language: locale })
  }, [connectors, themeMode, locale])
}

function followDark(told: () => void): () => void {
  const preference = matchMedia(dark)
  preference.addEventListener('change', told)
  return () => preference.removeEventListener('change', told)
}
