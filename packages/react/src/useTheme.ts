import { internalsOf } from '@latchkey/core/internal'
import { useLatchkey } from './context.ts'
import { chosenTheme, type Theme } from './theme.ts'
import { useStore } from './useStore.ts'

/**
 * Returns the theme that the user chose on this device (`system` until then), and a function that changes it. The
 * `theme` of the provider takes precedence.
 *
 * @example const { theme, setTheme } = useTheme()
 */
export function useTheme(): { theme: Theme; setTheme(theme: Theme): void } {
  const latchkey = useLatchkey()
  const store = chosenTheme(latchkey)
  return {
    theme: useStore(store).theme ?? 'system',
    setTheme(theme) {
      internalsOf(latchkey).memory.setTheme(theme)
      store.setState({ theme }, true)
    },
  }
}
