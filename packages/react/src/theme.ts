import { companion, type Latchkey } from '@latchkey/core'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from './context.ts'
import { useStore } from './useStore.ts'

/** Light, dark, or whichever the visitor's system prefers. */
export type Theme = 'light' | 'dark' | 'system'

const themeKey = Symbol('theme')

/** What the visitor chose on this device; read from storage once the instance is used in a page. */
export function chosenTheme(latchkey: Latchkey): StoreApi<{ theme: Theme | undefined }> {
  return companion(latchkey, themeKey, () => createStore<{ theme: Theme | undefined }>(() => ({ theme: undefined })))
}

/** Takes up the theme that was chosen at an earlier visit. */
export function recallTheme(latchkey: Latchkey): void {
  const kept = latchkey.memory.theme()
  if (kept === 'light' || kept === 'dark' || kept === 'system') chosenTheme(latchkey).setState({ theme: kept }, true)
}

/**
 * The theme the visitor chose on this device (`system` until then), and how to choose another. A provider with a
 * `theme` of its own goes before it.
 *
 * @example const { theme, setTheme } = useTheme()
 */
export function useTheme(): { theme: Theme; setTheme(theme: Theme): void } {
  const latchkey = useLatchkey()
  const store = chosenTheme(latchkey)
  return {
    theme: useStore(store).theme ?? 'system',
    setTheme(theme) {
      latchkey.memory.setTheme(theme)
      store.setState({ theme }, true)
    },
  }
}
