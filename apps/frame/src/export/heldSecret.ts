import { h, createIcon } from '../screens/elements/h.ts'
import type { Messages } from '../messages/loadFrameMessages.ts'

export type HeldSecretProps = {
  readonly messages: Messages
  readonly name: string
  readonly secret: string
  /** Aborts when the screen is removed. */
  readonly signal: AbortSignal
  copy(): void
}

/** A secret that is in the page only while a button is held by pointer, Space or Enter. Every interruption hides it. */
export function heldSecret({ messages, name, secret, signal, copy }: HeldSecretProps): HTMLElement {
  const { exporting } = messages
  const place = h('p', { class: 'secret', 'aria-live': 'polite', translate: 'no' }, exporting.hidden)
  const show = (): void => place.replaceChildren(secret)
  const hide = (): void => place.replaceChildren(exporting.hidden)
  window.addEventListener('blur', hide, { signal })
  document.addEventListener('visibilitychange', hide, { signal })
  const byKey = (act: () => void) => (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    act()
  }
  const hold = h(
    'button',
    {
      type: 'button',
      class: 'chip',
      'aria-label': exporting.holdOf({ item: name }),
      on: {
        pointerdown: (event) => event.isPrimary && show(),
        pointerup: hide,
        pointercancel: hide,
        pointerleave: hide,
        contextmenu: (event) => event.preventDefault(),
        keydown: byKey(show),
        keyup: byKey(hide),
        blur: hide,
      },
    },
    exporting.hold,
  )
  const copied = h(
    'button',
    { type: 'button', class: 'chip', 'aria-label': exporting.copyOf({ item: name }), on: { click: copy } },
    createIcon('copy'),
  )
  return h('section', { class: 'held' }, h('h2', {}, name), place, h('div', { class: 'holds' }, hold, copied))
}
