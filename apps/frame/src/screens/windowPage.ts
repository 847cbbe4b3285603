import { loadWords, type Words } from '../words/words.ts'
import { isRecord } from '../services/ask.ts'
import { h } from './dom.ts'
import { guardScreen } from './guard.ts'
import { layOut } from './layout.ts'
import type { Screen } from './stage.ts'
import { windowMessages } from './windowScreen.ts'

/** What a window can draw, by name: each from plain data. */
export type WindowDrawings = { readonly [drawing: string]: (facts: unknown, words: Words) => Screen<unknown> }

/**
 * Runs the window that the frame opens where it cannot be trusted to be seen: it says that it listens, draws what it is
 * told, and gives the answer back over a port. It hears only the window of this site that opened it, and only once.
 *
 * @param origin this site's own
 */
export async function runWindow(root: HTMLElement, origin: string, drawings: WindowDrawings): Promise<void> {
  const opener: Window | null = window.opener
  // In a frame there is nobody who could prove that it is seen.
  if (opener === null || window.top !== window) return lost(root)
  const told = heard(opener, origin)
  // Only a window of the same origin gets it; of any other it is nobody's.
  opener.postMessage(windowMessages.ready, origin)
  const { port, drawing, facts, locale, theme } = await told
  const words = await loadWords([locale])
  const { documentElement } = document
  documentElement.lang = words.locale
  documentElement.dir = words.direction
  if (theme !== undefined) documentElement.dataset['theme'] = theme
  const draw = Object.hasOwn(drawings, drawing) ? drawings[drawing] : undefined
  if (draw === undefined) return lost(root)
  const answer = await answerOf(root, draw(facts, words))
  port.postMessage(answer)
  window.close()
}

type Told = { port: MessagePort; drawing: string; facts: unknown; locale: string; theme?: string }

function heard(opener: Window, origin: string): Promise<Told> {
  return new Promise((resolve) => {
    const hear = (event: MessageEvent): void => {
      const { source, data, ports } = event
      const [port] = ports
      if (source !== opener || event.origin !== origin || port === undefined) return
      const { type, drawing, facts, locale, theme } = isRecord(data) ? data : {}
      if (type !== windowMessages.show || typeof drawing !== 'string' || typeof locale !== 'string') return
      window.removeEventListener('message', hear)
      resolve({ port, drawing, facts, locale, ...(typeof theme === 'string' && { theme }) })
    }
    window.addEventListener('message', hear)
  })
}

function answerOf(root: HTMLElement, screen: Screen<unknown>): Promise<unknown> {
  return new Promise((resolve) => {
    screen.draw(root, resolve)
    root.dataset['shielded'] = ''
    guardScreen({ root, watch: nothingCovers, later })
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && resolve(undefined))
  })
}

/** No page can put anything above a window; its size and the half second count all the same. */
function nothingCovers(_: readonly Element[], told: (isSeen: boolean) => void): () => void {
  told(true)
  return () => {}
}

function later(act: () => void, milliseconds: number): () => void {
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}

async function lost(root: HTMLElement): Promise<void> {
  const { approve } = await loadWords(navigator.languages)
  layOut(root, { title: approve.window.title, content: [h('p', {}, approve.window.lost)] })
}
