import type { PlaygroundOptions } from './playgroundOptions.ts'

/** Applies the theme options to the page and the modal. */
export function applyTheme({ theme, hue, radius }: Pick<PlaygroundOptions, 'theme' | 'hue' | 'radius'>): void {
  const { dataset, style } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  style.setProperty('--accent-hue', hue === undefined ? '' : String(hue))
  style.setProperty('--site-modal-radius', `${radius}px`)
  dataset['accent'] = hue === undefined ? 'own' : 'chosen'
}
