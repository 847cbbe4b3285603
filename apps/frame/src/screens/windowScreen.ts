import { h } from './dom.ts'
import { button, layOut } from './layout.ts'
import type { StageParts } from './createStage.ts'
import type { Screen } from './stage.ts'

/** Opens a window of this site's own; null where the browser does not. */
export type OpenWindow = (url: string) => Pick<Window, 'closed' | 'close' | 'focus' | 'postMessage'> | null

/** What a window says when it listens, and what it is told then; answers come over the port that goes with it. */
export const windowMessages = { ready: 'latchkey-window-ready', show: 'latchkey-window-show' } as const

export type WindowShow = {
  readonly type: typeof windowMessages.show
  readonly drawing: string
  readonly facts: unknown
  readonly locale: string
  readonly theme?: string
}

/** How often it is looked whether the window is still there: nothing tells when it goes, in milliseconds. */
const lookEvery = 300

/**
 * Shows a guarded screen in a window of this site's own, for a browser that cannot prove that the frame is seen. The frame
 * says so, and opens the window from a click, for otherwise it would be blocked.
 *
 * @param draw shows the frame's part of it until it is answered
 * @returns the window's answer; undefined when either was turned away or closed
 */
export async function windowScreen<answer>(
  screen: Screen<answer>,
  parts: StageParts,
  draw: (screen: Screen<answer>) => Promise<answer | undefined>,
): Promise<answer | undefined> {
  const { window: wanted } = screen
  if (wanted === undefined) return undefined
  return draw({
    guarded: false,
    draw(root, finish) {
      const texts = parts.words().approve.window
      const session = createSession<answer>(parts, wanted, finish)
      const hint = h('p', { class: 'hint', role: 'status' }, texts.hint)
      const open = button({
        text: texts.open,
        look: 'primary',
        press() {
          hint.textContent = session.open() ? texts.waiting : texts.blocked
          open.textContent = session.isOpen() ? texts.again : texts.open
        },
      })
      const reject = button({ text: parts.words().approve.reject, press: () => session.turnAway() })
      layOut(root, { title: texts.title, content: [hint], actions: [open, reject] })
      return () => session.end()
    },
  })
}

type Session = { open(): boolean; isOpen(): boolean; turnAway(): void; end(): void }

function createSession<answer>(
  { origin, words, open = openPlatform, later = platformLater }: StageParts,
  { drawing, facts }: NonNullable<Screen<answer>['window']>,
  finish: (answer: answer) => void,
): Session {
  let opened: ReturnType<OpenWindow> = null
  let cancel = (): void => {}
  let port: MessagePort | undefined
  // Nothing of the answer is read here: whoever asked compares it with the answers that there are.
  const settle = (answer: unknown): void => finish(answer as answer)

  const hear = (event: MessageEvent): void => {
    const isOurs = opened !== null && event.source === opened && event.origin === origin
    if (!isOurs || event.data !== windowMessages.ready) return
    const theme = document.documentElement.dataset['theme']
    const message: WindowShow = { type: windowMessages.show, drawing, facts, locale: words().locale, theme }
    const { port1, port2 } = new MessageChannel()
    port?.close()
    port = port1
    port1.addEventListener('message', ({ data }) => settle(data))
    port1.start()
    opened?.postMessage(message, origin, [port2])
  }
  window.addEventListener('message', hear)

  function look(): void {
    cancel = later(() => (opened?.closed === true ? settle(undefined) : look()), lookEvery)
  }

  return {
    open() {
      if (opened !== null && !opened.closed) {
        opened.focus()
        return true
      }
      opened = open(`${origin}/popup`)
      if (opened !== null) look()
      return opened !== null
    },
    isOpen: () => opened !== null,
    turnAway: () => settle(undefined),
    end() {
      cancel()
      window.removeEventListener('message', hear)
      port?.close()
      opened?.close()
    },
  }
}

function openPlatform(url: string): Window | null {
  return window.open(url, '_blank', 'popup,width=420,height=720')
}

function platformLater(act: () => void, milliseconds: number): () => void {
  const timer = setTimeout(act, milliseconds)
  return () => clearTimeout(timer)
}
