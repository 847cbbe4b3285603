import { createAccentColors, createTheme } from './createTheme.ts'
import type { ThemeFunction } from './theme.ts'

const midnightColors = {
  modalBackground: 'oklch(.13 .008 264)',
  modalBackdrop: 'oklch(0 0 0 / .75)',
  profileForeground: 'oklch(.19 .01 264)',
  generalBorder: 'oklch(.26 .012 264)',
}

/**
 * A dark theme on black. `accentColors` has options for common accents.
 *
 * @param options the accent, the corners, the font and the blur behind the modal; Latchkey's own if omitted
 * @returns the theme for `RainbowKitProvider`
 * @example const theme = midnightTheme({ ...midnightTheme.accentColors.green, borderRadius: 'medium' })
 */
export const midnightTheme: ThemeFunction = /* @__PURE__ */ Object.assign(
  (options: Parameters<ThemeFunction>[0] = {}) => createTheme(options, { mode: 'dark', colors: midnightColors }),
  { accentColors: /* @__PURE__ */ createAccentColors('dark') },
)
