import type { ThemeTokens } from '../../kit/themeTokens.ts'
import type { CustomTheme, Theme } from './theme.ts'

/** The tokens of the themes whose corners or colours differ from Latchkey's own. */
const themes: { readonly [theme in Theme]?: ThemeTokens } = {
  midnight: {
    '--latchkey-card': 'oklch(.13 .008 264)',
    '--latchkey-fill': 'oklch(.19 .01 264)',
    '--latchkey-line': 'oklch(.26 .012 264)',
  },
  minimal: { '--latchkey-radius': '8px', '--latchkey-button-radius': '6px' },
  retro: { '--latchkey-radius': '16px', '--latchkey-button-radius': '12px' },
  rounded: { '--latchkey-radius': '28px', '--latchkey-button-radius': '22px' },
  web95: { '--latchkey-radius': '0px', '--latchkey-button-radius': '0px' },
}

/** Converts a theme and the variables of an app to the tokens of Latchkey. */
export function toThemeTokens(theme: Theme, variables: CustomTheme, overlayBlur: number | undefined): ThemeTokens {
  const read = (name: `--ck-${string}`): string | undefined => variables[name]?.toString()
  const blur = overlayBlur === undefined ? undefined : `blur(${overlayBlur}px)`
  const own: ThemeTokens = {
    '--latchkey-accent': read('--ck-accent-color') ?? read('--ck-primary-button-background'),
    '--latchkey-on-accent': read('--ck-accent-text-color') ?? read('--ck-primary-button-color'),
    '--latchkey-card': read('--ck-body-background'),
    '--latchkey-text': read('--ck-body-color'),
    '--latchkey-muted': read('--ck-body-color-muted'),
    '--latchkey-danger': read('--ck-body-color-danger'),
    '--latchkey-success': read('--ck-body-color-valid'),
    '--latchkey-fill': read('--ck-body-background-secondary') ?? read('--ck-secondary-button-background'),
    '--latchkey-line': read('--ck-body-divider'),
    '--latchkey-scrim': read('--ck-overlay-background'),
    '--latchkey-font': read('--ck-font-family'),
    '--latchkey-radius': read('--ck-border-radius'),
    '--latchkey-button-radius': read('--ck-connectbutton-border-radius'),
    '--latchkey-shadow': read('--ck-modal-box-shadow'),
    'backdrop-filter': read('--ck-overlay-backdrop-filter') ?? blur,
  }
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  return { ...themes[theme], ...given }
}
