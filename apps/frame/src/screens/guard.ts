import { createArming, type Arming } from './arming.ts'
import type { WatchVisibility } from './visibility.ts'

export type GuardParts = {
  readonly root: HTMLElement
  readonly watch: WatchVisibility
  later(act: () => void, milliseconds: number): () => void
}

/** Between two looks at the pointer, it moved so much less over the desk than over this page that the page moved. */
const moved = { slack: 4, times: 5 } as const

/**
 * Keeps the buttons of a drawn screen that carry `data-guarded` from counting until it has been in view for half a second,
 * and lets only what a person does reach them.
 *
 * @returns what ends it
 */
export function guardScreen({ root, watch, later }: GuardParts): () => void {
  const buttons = [...root.querySelectorAll<HTMLButtonElement>('button[data-guarded]')]
  const arming = createArming({ later, told: (isArmed) => set(isArmed) })

  /** Not with `disabled`: that takes the focus, and hides the pointer above the button from this page. */
  function set(isArmed: boolean): void {
    root.dataset['armed'] = String(isArmed)
    for (const button of buttons) button.setAttribute('aria-disabled', String(!isArmed))
  }

  set(false)
  const unwatch = watch([root, ...buttons], (isSeen) => arming.seen(isSeen))
  const ends = [unwatch, follow(root, arming), follows(arming), onlyPeople(root, arming)]
  return () => {
    arming.end()
    for (const end of ends) end?.()
  }
}

/** Its size and what is on it. */
function follow(root: HTMLElement, arming: Arming): () => void {
  const measure = (): void => arming.sized({ width: window.innerWidth, height: window.innerHeight })
  const changes = new MutationObserver((records) => {
    // Arming itself changes the buttons.
    const isOwn = ({ attributeName }: MutationRecord): boolean =>
      attributeName === 'aria-disabled' || attributeName === 'data-armed' || attributeName === 'open'
    if (!records.every(isOwn)) arming.changed()
  })
  changes.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
  window.addEventListener('resize', measure)
  measure()
  return () => {
    changes.disconnect()
    window.removeEventListener('resize', measure)
  }
}

/** Whether the visitor is here. A pointer that comes in has to stay for a while, as it does when somebody reads. */
function follows(arming: Arming): () => void {
  let last: { x: number; y: number; screenX: number; screenY: number } | undefined
  const handlers = {
    blur: () => arming.left(),
    focus: () => arming.came(),
    // The second click of a double click on a window that was above this one comes with the pointer [I-10].
    pointerover(event: PointerEvent) {
      if (event.pointerType === 'mouse' && event.relatedTarget === null) arming.changed()
      arming.came()
    },
    pointermove(event: PointerEvent) {
      const { clientX: x, clientY: y, screenX, screenY, pointerType } = event
      const here = Math.hypot(x - (last?.x ?? x), y - (last?.y ?? y))
      const desk = Math.hypot(screenX - (last?.screenX ?? screenX), screenY - (last?.screenY ?? screenY))
      last = { x, y, screenX, screenY }
      if (pointerType === 'mouse' && here > moved.slack + desk * moved.times) arming.changed()
    },
  }
  const hear = (event: Event): void => {
    const { type } = event
    if (type === 'blur') handlers.blur()
    else if (type === 'focus') handlers.focus()
    else if (event instanceof PointerEvent) handlers[type === 'pointerover' ? 'pointerover' : 'pointermove'](event)
  }
  const types = ['blur', 'focus', 'pointerover', 'pointermove'] as const
  for (const type of types) window.addEventListener(type, hear)
  return () => {
    for (const type of types) window.removeEventListener(type, hear)
  }
}

/** Clicks that a script made, and keys that were held down since before, are nobody's answer. */
function onlyPeople(root: HTMLElement, arming: Arming): () => void {
  const isGuarded = (event: Event): boolean =>
    event.target instanceof Element && event.target.closest('button[data-guarded]') !== null
  const click = (event: MouseEvent): void => {
    if (isGuarded(event) && (!arming.isArmed || !event.isTrusted)) stop(event)
  }
  const key = (event: KeyboardEvent): void => {
    if (isGuarded(event) && event.repeat) stop(event)
  }
  root.addEventListener('click', click, { capture: true })
  root.addEventListener('keydown', key, { capture: true })
  return () => {
    root.removeEventListener('click', click, { capture: true })
    root.removeEventListener('keydown', key, { capture: true })
  }
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
