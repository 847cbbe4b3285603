/** The theme of the modal. */
export type ThemeMode = 'light' | 'dark'

type VariableName =
  | 'font-family'
  | 'accent'
  | 'color-mix'
  | 'color-mix-strength'
  | 'font-size-master'
  | 'border-radius-master'
  | 'z-index'
  | 'qr-color'

/** The variables of the theme, with either prefix. `--apkt-` takes precedence. */
export type ThemeVariables = { readonly [name in `--${'w3m' | 'apkt'}-${VariableName}`]?: string | number }

/** The value of a variable with either prefix. */
const read = (name: VariableName): string => `var(--apkt-${name},var(--w3m-${name}))`

/** A colour of both themes, mixed as the variables say. */
function mixColors(light: string, dark: string): string {
  return `color-mix(in srgb,${read('color-mix')} calc(${read('color-mix-strength')}*1%),light-dark(${light},${dark}))`
}

/**
 * The tokens of Latchkey, computed from the variables. A token whose variable is not set is invalid, and the default
 * applies. The layer lets the tokens that an app sets take precedence.
 */
const themeCss = `@layer latchkey-appkit{:root{
--latchkey-accent:${read('accent')};
--latchkey-font:${read('font-family')};
--latchkey-z-index:${read('z-index')};
--latchkey-radius:calc(${read('border-radius-master')}*6);
--latchkey-button-radius:calc(${read('border-radius-master')}*3.5);
--latchkey-card:${mixColors('#fff', 'oklch(.2 .011 264)')};
--latchkey-fill:${mixColors('oklch(.967 .003 264)', 'oklch(.252 .013 264)')};
--latchkey-line:${mixColors('oklch(.92 .005 264)', 'oklch(.31 .014 264)')};
}}`

/**
 * Applies theme variables to a page. The sheet is constructed, so a strict content security policy allows it.
 *
 * @returns functions that replace the variables, and remove everything
 */
export function applyThemeVariables(page: Document): { set(variables: ThemeVariables): void; remove(): void } {
  const [tokens, values] = [new CSSStyleSheet(), new CSSStyleSheet()]
  tokens.replaceSync(themeCss)
  page.adoptedStyleSheets.push(tokens, values)
  return {
    set(variables) {
      values.replaceSync('@layer latchkey-appkit{:root{}}')
      const rule = values.cssRules[0] instanceof CSSLayerBlockRule ? values.cssRules[0].cssRules[0] : undefined
      if (!(rule instanceof CSSStyleRule)) return
      // Each value is set on its own, so that none can end the rule.
      for (const [name, value] of Object.entries(variables)) rule.style.setProperty(name, String(value))
    },
    remove() {
      page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => sheet !== tokens && sheet !== values)
    },
  }
}
