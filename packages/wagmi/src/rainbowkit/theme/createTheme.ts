import type { AccentColors, Theme, ThemeOptions } from './theme.ts'

type Radii = { readonly [size in NonNullable<ThemeOptions['borderRadius']>]: Theme['radii'] }

const radii: Radii = {
  large: { connectButton: '14px', modal: '24px' },
  medium: { connectButton: '10px', modal: '16px' },
  small: { connectButton: '6px', modal: '8px' },
  none: { connectButton: '0px', modal: '0px' },
}

const blurs: { readonly [size in NonNullable<ThemeOptions['overlayBlur']>]: string } = {
  large: 'blur(20px)',
  small: 'blur(4px)',
  none: 'blur(0px)',
}

const roundedFont = 'ui-rounded,"SF Pro Rounded",system-ui,sans-serif'

/** Creates a theme from the options of an app and the values of its mode. */
export function createTheme(
  { accentColor, accentColorForeground, borderRadius, fontStack, overlayBlur }: ThemeOptions,
  { mode, colors = {} }: Pick<Theme, 'colors' | 'mode'>,
): Theme {
  return {
    mode,
    blurs: overlayBlur === undefined ? {} : { modalOverlay: blurs[overlayBlur] },
    colors: {
      ...colors,
      ...(accentColor === undefined ? {} : { accentColor }),
      ...(accentColorForeground === undefined ? {} : { accentColorForeground }),
    },
    fonts: fontStack === 'rounded' ? { body: roundedFont } : {},
    radii: borderRadius === undefined ? {} : radii[borderRadius],
  }
}

/** Creates the accent colours of a mode. All have the same lightness, so that the text on them is readable. */
export function createAccentColors(mode: 'light' | 'dark'): AccentColors {
  const [lightness, accentColorForeground] = mode === 'light' ? [0.5, 'white'] : [0.8, 'black']
  const accent = (hue: number) => ({ accentColor: `oklch(${lightness} .14 ${hue})`, accentColorForeground })
  return {
    blue: accent(255),
    green: accent(150),
    orange: accent(55),
    pink: accent(350),
    purple: accent(300),
    red: accent(25),
  }
}
