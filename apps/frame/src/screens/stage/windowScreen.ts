import { schedule } from '../../platform/schedule.ts'
import { h } from '../elements/h.ts'
import { createButton, drawLayout } from '../elements/layout.ts'
import type { OpenWindow, StageContext } from './stageContext.ts'
import type { Screen } from './stage.ts'

/** Messages between frame and window. Results use the transferred port. */
export const windowMessages = { ready: 'latchkey-window-ready', show: 'latchkey-window-show' } as const

export type WindowShow = {
  readonly type: typeof windowMessages.show
  readonly drawing: string
  readonly facts: unknown
  readonly locale: string
  readonly theme?: string
}

/** Interval in milliseconds for checking whether the window was closed. Browsers send no event. */
const pollIntervalMs = 300

/**
 * Shows a guarded screen in a window of this site, for browsers that can't prove the frame's visibility. The frame asks
 * for a click, because browsers block other windows.
 *
 * @param draw shows the frame's hint until the window has returned a result
 * @returns the window's result; `undefined` if either was cancelled or closed
 */
export async function windowScreen<result>(
  screen: Screen<result>,
  context: StageContext,
  draw: (screen: Screen<result>) => Promise<result | undefined>,
): Promise<result | undefined> {
  const { window: wanted } = screen
  if (wanted === undefined) return undefined
  return draw({
    guarded: false,
    draw(root, finish) {
      const texts = context.messages().approve.window
      const session = createSession<result>(context, wanted, finish)
      const hint = h('p', { class: 'hint', role: 'status' }, texts.hint)
      const open = createButton({
        text: texts.open,
        look: 'primary',
        press() {
          hint.textContent = session.open() ? texts.waiting : texts.blocked
          open.textContent = session.isOpen() ? texts.again : texts.open
        },
      })
      const reject = createButton({ text: context.messages().approve.reject, press: () => session.cancelScreen() })
      drawLayout(root, { title: texts.title, content: [hint], actions: [open, reject] })
      return () => session.end()
    },
  })
}

type Session = { open(): boolean; isOpen(): boolean; cancelScreen(): void; end(): void }

function createSession<choice>(
  { origin, messages, open = openPlatform, later = schedule }: StageContext,
  { drawing, facts }: NonNullable<Screen<choice>['window']>,
  finish: (returned: choice) => void,
): Session {
  let opened: ReturnType<OpenWindow> = null
  let cancel = (): void => {}
  let port: MessagePort | undefined
  // The caller validates the result.
  const settle = (result: unknown): void => finish(result as choice)

  const onMessage = (event: MessageEvent): void => {
    const isOwnWindow = opened !== null && event.source === opened && event.origin === origin
    if (!isOwnWindow || event.data !== windowMessages.ready) return
    const theme = document.documentElement.dataset['theme']
    const message: WindowShow = { type: windowMessages.show, drawing, facts, locale: messages().locale, theme }
    const { port1, port2 } = new MessageChannel()
    port?.close()
    port = port1
    port1.addEventListener('message', ({ data }) => settle(data))
    port1.start()
    opened?.postMessage(message, origin, [port2])
  }
  window.addEventListener('message', onMessage)

  function look(): void {
    cancel = later(() => (opened?.closed === true ? settle(undefined) : look()), pollIntervalMs)
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
    cancelScreen: () => settle(undefined),
    end() {
      cancel()
      window.removeEventListener('message', onMessage)
      port?.close()
      opened?.close()
    },
  }
}

function openPlatform(url: string): Window | null {
  return window.open(url, '_blank', 'popup,width=420,height=720')
}
