import { createAccentColors, createTheme } from './createTheme.ts'
import type { ThemeFunction } from './theme.ts'

/**
 * The light theme. `accentColors` has options for common accents.
 *
 * @param options the accent, the corners, the font and the blur behind the modal; Latchkey's own if omitted
 * @returns the theme for `RainbowKitProvider`
 * @example const theme = lightTheme({ ...lightTheme.accentColors.green, borderRadius: 'medium' })
 */
export const lightTheme: ThemeFunction = /* @__PURE__ */ Object.assign(
  (options: Parameters<ThemeFunction>[0] = {}) => createTheme(options, { mode: 'light' }),
  { accentColors: /* @__PURE__ */ createAccentColors('light') },
)
