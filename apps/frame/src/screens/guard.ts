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

type Place = { readonly x: number; readonly y: number; readonly screenX: number; readonly screenY: number }

/** Whether the visitor is here. A pointer that comes in has to stay for a while, as it does when somebody reads. */
function follows(arming: Arming): () => void {
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
    // The second click of a double click on a window that was above this one comes with the pointer [I-10].
    if (last === undefined || movedAway(last, here)) arming.changed()
    last = here
  }
  const hear = (event: Event): void => {
    // Those of elements are caught on their way, too.
    if (event.target !== window && !(event instanceof PointerEvent)) return
    if (event.type === 'blur') arming.left()
    else if (event.type === 'focus') arming.came()
    else if (event instanceof PointerEvent) pointed(event)
  }
  const types = ['blur', 'focus', 'pointerover', 'pointermove', 'pointerdown', 'pointerout'] as const
  for (const type of types) window.addEventListener(type, hear, { capture: true })
  return () => {
    for (const type of types) window.removeEventListener(type, hear, { capture: true })
  }
}

function movedAway(last: Place, { x, y, screenX, screenY }: Place): boolean {
  const desk = Math.hypot(screenX - last.screenX, screenY - last.screenY)
  return Math.hypot(x - last.x, y - last.y) > moved.slack + desk * moved.times
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
