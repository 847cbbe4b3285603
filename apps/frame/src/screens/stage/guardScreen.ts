import { createArming, type Arming } from './arming.ts'
import type { WatchVisibility } from './watchVisibility.ts'

export type GuardOptions = {
  readonly root: HTMLElement
  readonly watch: WatchVisibility
  later(act: () => void, milliseconds: number): () => void
}

/** Between two pointer events the pointer moved this much less on the desktop than on the page: the page was moved. */
const moved = { slack: 4, times: 5 } as const

/**
 * Disables buttons with `data-guarded` until the screen was visible for half a second, and ignores events that a person
 * did not cause.
 *
 * @returns a function that ends the guard
 */
export function guardScreen({ root, watch, later }: GuardOptions): () => void {
  const buttons = [...root.querySelectorAll<HTMLButtonElement>('button[data-guarded]')]
  const arming = createArming({ later, notify: (isArmed) => set(isArmed) })

  /** Uses `aria-disabled`: `disabled` would drop the focus and hide the pointer above the button from this page. */
  function set(isArmed: boolean): void {
    root.dataset['armed'] = String(isArmed)
    for (const button of buttons) button.setAttribute('aria-disabled', String(!isArmed))
  }

  set(false)
  const unwatch = watch([root, ...buttons], (isSeen) => arming.seen(isSeen))
  const ends = [unwatch, watchContent(root, arming), watchPointer(arming), ignoreScriptedInput(root, arming)]
  return () => {
    arming.end()
    for (const end of ends) end?.()
  }
}

/** Watches size and content. */
function watchContent(root: HTMLElement, arming: Arming): () => void {
  const measure = (): void => arming.sized({ width: window.innerWidth, height: window.innerHeight })
  const changes = new MutationObserver((records) => {
    // Arming changes the buttons itself.
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

type Place = { readonly x: number; readonly y: number; readonly screenX: number; readonly screenY: number }

/** Watches the user's presence. A pointer that enters has to stay for a while, as it does when the user reads. */
function watchPointer(arming: Arming): () => void {
  let last: Place | undefined
  const pointed = ({
    type,
    clientX: x,
    clientY: y,
    screenX,
    screenY,
    pointerType,
    relatedTarget,
  }: PointerEvent): void => {
    if (type === 'pointerout') {
      if (relatedTarget === null) last = undefined
      return
    }
    arming.came()
    if (pointerType !== 'mouse') return
    const here = { x, y, screenX, screenY }
    // The second click of a double click on a window above this one arrives together with the pointer [I-10].
    if (last === undefined || hasMoved(last, here)) arming.changed()
    last = here
  }
  const onEvent = (event: Event): void => {
    // Events of elements pass here as well.
    if (event.target !== window && !(event instanceof PointerEvent)) return
    if (event.type === 'blur') arming.left()
    else if (event.type === 'focus') arming.came()
    else if (event instanceof PointerEvent) pointed(event)
  }
  const types = ['blur', 'focus', 'pointerover', 'pointermove', 'pointerdown', 'pointerout'] as const
  for (const type of types) window.addEventListener(type, onEvent, { capture: true })
  return () => {
    for (const type of types) window.removeEventListener(type, onEvent, { capture: true })
  }
}

function hasMoved(last: Place, { x, y, screenX, screenY }: Place): boolean {
  const desk = Math.hypot(screenX - last.screenX, screenY - last.screenY)
  return Math.hypot(x - last.x, y - last.y) > moved.slack + desk * moved.times
}

/** Ignores clicks from scripts and keys that were held down before. */
function ignoreScriptedInput(root: HTMLElement, arming: Arming): () => void {
  const isGuarded = (event: Event): boolean =>
    event.target instanceof Element && event.target.closest('button[data-guarded]') !== null
  const click = (event: MouseEvent): void => {
    if (isGuarded(event) && (!arming.isArmed || !event.isTrusted)) suppressEvent(event)
  }
  const key = (event: KeyboardEvent): void => {
    if (isGuarded(event) && event.repeat) suppressEvent(event)
  }
  root.addEventListener('click', click, { capture: true })
  root.addEventListener('keydown', key, { capture: true })
  return () => {
    root.removeEventListener('click', click, { capture: true })
    root.removeEventListener('keydown', key, { capture: true })
  }
}

function suppressEvent(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
