import type { FrameRequests } from '@latchkey/protocol'

/** How the page that embeds wants to look: light or dark, and its colours. */
export type Theme = Pick<FrameRequests['SYNC_THEME']['payload'], 'themeMode' | 'themeVariables'>

/**
 * Which of the page's variables colour the frame. All others are no business of this site: a page that chose the colour of
 * the text, or of what is behind it, could have what is asked vanish.
 */
export const themeNames = ['--latchkey-accent', '--latchkey-radius'] as const

/**
 * Lets a document look as the page that embeds it; what was set before and is not said again goes.
 *
 * @param theme with values that were checked where the message was read
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
