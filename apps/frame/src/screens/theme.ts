import type { FrameRequests } from '@latchkey/protocol'

/** The theme of the embedding page: mode and colours. */
export type Theme = Pick<FrameRequests['SYNC_THEME']['payload'], 'themeMode' | 'themeVariables'>

/** The accepted CSS variables. With others, for example the text colour, a page could hide the content of a request. */
export const themeNames = ['--latchkey-accent', '--latchkey-radius'] as const

/**
 * Applies a theme to a document and resets the values that it lacks.
 *
 * @param theme theme with validated values
 */
export function applyTheme(target: Document, { themeMode, themeVariables = {} }: Theme): void {
  const { documentElement: root } = target
  if (themeMode === undefined) delete root.dataset['theme']
  else root.dataset['theme'] = themeMode
  for (const name of themeNames) {
    const value = themeVariables[name]
    if (value === undefined) root.style.removeProperty(name)
    else root.style.setProperty(name, value)
  }
}
