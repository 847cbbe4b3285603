/** The themes of the original. `midnight` is dark; the others are Latchkey's own with other corners. */
export type Theme = 'auto' | 'default' | 'midnight' | 'minimal' | 'nouns' | 'retro' | 'rounded' | 'soft' | 'web95'

/** Light, dark, or the preference of the system. */
export type Mode = 'auto' | 'dark' | 'light'

/**
 * Variables of a theme (`--ck-…`). Every value is CSS. docs/from-connectkit.md lists those that have an effect.
 */
export type CustomTheme = { readonly [variable in `--ck-${string}`]?: string | number }
