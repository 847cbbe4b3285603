import type { ThemeTokens } from '../../kit/themeTokens.ts'
import type { Theme } from './theme.ts'

/** Converts a theme to the tokens of Latchkey. */
export function toThemeTokens({ blurs = {}, colors = {}, fonts = {}, radii = {}, shadows = {} }: Theme): ThemeTokens {
  return {
    '--latchkey-accent': colors.accentColor,
    '--latchkey-on-accent': colors.accentColorForeground,
    '--latchkey-card': colors.modalBackground,
    '--latchkey-text': colors.modalText,
    '--latchkey-muted': colors.modalTextSecondary,
    '--latchkey-fill': colors.profileForeground,
    '--latchkey-line': colors.generalBorder,
    '--latchkey-danger': colors.error,
    '--latchkey-scrim': colors.modalBackdrop,
    '--latchkey-font': fonts.body,
    '--latchkey-radius': radii.modal,
    '--latchkey-button-radius': radii.connectButton,
    '--latchkey-shadow': shadows.dialog,
    'backdrop-filter': blurs.modalOverlay,
  }
}
