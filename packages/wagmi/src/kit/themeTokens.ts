/** Values of Latchkey's tokens, and of the layer behind the modal. An undefined value leaves the default. */
export type ThemeTokens = {
  readonly [token in `--latchkey-${string}`]?: string | undefined
} & {
  readonly 'backdrop-filter'?: string | undefined
}

/** The tokens of an app. They differ if the app follows the preference of the system. */
export type ThemeTokensByMode = { readonly light: ThemeTokens; readonly dark: ThemeTokens }

// The layer lets the tokens that an app sets in its own styles take precedence.
const createRules = (mode: keyof ThemeTokensByMode): string =>
  `@media (prefers-color-scheme:${mode}){:root{}latchkey-modal::part(dialog)::backdrop{}}`

/**
 * Creates a sheet of theme tokens. A constructed sheet is allowed by the strictest content security policy. Each value is set
 * on its own, so that none can end its rule.
 */
export function createThemeSheet({ light, dark }: ThemeTokensByMode): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`@layer latchkey-kit{${createRules('light')}${createRules('dark')}}`)
  const [layer] = sheet.cssRules
  const [lightRules, darkRules] = layer instanceof CSSLayerBlockRule ? layer.cssRules : []
  setTokens(lightRules, light)
  setTokens(darkRules, dark)
  return sheet
}

function setTokens(media: CSSRule | undefined, tokens: ThemeTokens): void {
  if (!(media instanceof CSSMediaRule)) return
  const [root, backdrop] = media.cssRules
  for (const [name, value] of Object.entries(tokens)) {
    const rule = name.startsWith('--') ? root : backdrop
    if (value !== undefined && rule instanceof CSSStyleRule) rule.style.setProperty(name, value)
  }
}
