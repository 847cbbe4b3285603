import { createAccentColors, createTheme } from './createTheme.ts'
import type { ThemeFunction } from './theme.ts'

/**
 * The dark theme. `accentColors` has options for common accents.
 *
 * @param options the accent, the corners, the font and the blur behind the modal; Latchkey's own if omitted
 * @returns the theme for `RainbowKitProvider`
 * @example const theme = darkTheme({ ...darkTheme.accentColors.green, borderRadius: 'medium' })
 */
export const darkTheme: ThemeFunction = /* @__PURE__ */ Object.assign(
  (options: Parameters<ThemeFunction>[0] = {}) => createTheme(options, { mode: 'dark' }),
  { accentColors: /* @__PURE__ */ createAccentColors('dark') },
)
