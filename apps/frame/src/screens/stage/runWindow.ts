import { isRecord } from '@latchkey/protocol'
import { schedule } from '../../platform/schedule.ts'
import { loadFrameMessages, type Messages } from '../../messages/loadFrameMessages.ts'
import { h } from '../elements/h.ts'
import { guardScreen } from './guardScreen.ts'
import { drawLayout } from '../elements/layout.ts'
import type { Screen } from './stage.ts'
import { windowMessages } from './windowScreen.ts'

/** Screens that the window can draw, by name. Each takes plain data. */
export type WindowDrawings = { readonly [drawing: string]: (facts: unknown, messages: Messages) => Screen<unknown> }

/**
 * Runs the window that the frame opens if the browser can't prove the frame's visibility. It announces itself, draws
 * the requested screen and returns the result over a port. It accepts one message, from the window of the same origin
 * that opened it.
 *
 * @param origin origin of this site
 */
export async function runWindow(root: HTMLElement, origin: string, drawings: WindowDrawings): Promise<void> {
  const opener: Window | null = window.opener
  // Inside a frame, the visibility can't be proven.
  if (opener === null || window.top !== window) return drawLost(root)
  const request = receiveRequest(opener, origin)
  // The target origin keeps the message from other sites.
  opener.postMessage(windowMessages.ready, origin)
  const { port, drawing, facts, locale, theme } = await request
  const messages = await loadFrameMessages([locale])
  const { documentElement } = document
  documentElement.lang = messages.locale
  documentElement.dir = messages.direction
  if (theme !== undefined) documentElement.dataset['theme'] = theme
  const draw = Object.hasOwn(drawings, drawing) ? drawings[drawing] : undefined
  if (draw === undefined) return drawLost(root)
  const result = await drawUntilDone(root, draw(facts, messages))
  port.postMessage(result)
  // The frame closes the window when it has the result: Firefox drops the messages of a window that closes.
  schedule(() => window.close(), abandonedMs)
}

/** Milliseconds until the window closes itself, because the frame is gone. */
const abandonedMs = 5_000

type WindowRequest = { port: MessagePort; drawing: string; facts: unknown; locale: string; theme?: string }

function receiveRequest(opener: Window, origin: string): Promise<WindowRequest> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent): void => {
      const { source, data, ports } = event
      const [port] = ports
      if (source !== opener || event.origin !== origin || port === undefined) return
      const { type, drawing, facts, locale, theme } = isRecord(data) ? data : {}
      if (type !== windowMessages.show || typeof drawing !== 'string' || typeof locale !== 'string') return
      window.removeEventListener('message', onMessage)
      resolve({ port, drawing, facts, locale, ...(typeof theme === 'string' && { theme }) })
    }
    window.addEventListener('message', onMessage)
  })
}

function drawUntilDone(root: HTMLElement, screen: Screen<unknown>): Promise<unknown> {
  return new Promise((resolve) => {
    screen.draw(root, resolve)
    root.dataset['shielded'] = ''
    guardScreen({ root, watch: reportAlwaysVisible, later: schedule })
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && resolve(undefined))
  })
}

/** No page can cover a window. Size and waiting time still apply. */
function reportAlwaysVisible(_: readonly Element[], request: (isSeen: boolean) => void): () => void {
  request(true)
  return () => {}
}

async function drawLost(root: HTMLElement): Promise<void> {
  const { approve } = await loadFrameMessages(navigator.languages)
  drawLayout(root, { title: approve.window.title, content: [h('p', {}, approve.window.lost)] })
}
