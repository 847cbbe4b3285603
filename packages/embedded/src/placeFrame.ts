/**
 * How the frame's dialog looks: like the frame and nothing else. While nobody is to see it, it has a size all the same, by
 * which the frame measures what it is about to show, and it is drawn, but see-through: browsers that stop drawing a frame of
 * another origin when it is hidden have shown a grey box, now and then, when it was wanted again.
 */
export const frameCss = `
  dialog { display: block; position: fixed; inset: auto; margin: 0; padding: 0; border: 0; max-width: none;
    max-height: none; overflow: hidden; background: transparent; outline: 0 }
  dialog:not([open]) { visibility: hidden; opacity: 0; pointer-events: none; left: 0; top: 0; width: min(360px, 100vw);
    height: 600px; z-index: -1 }
  dialog::backdrop { background: transparent }
  iframe { display: block; visibility: visible; width: 100%; height: 100%; border: 0; color-scheme: normal }
`

/**
 * Puts the frame's dialog over an element, above everything, and follows that element.
 *
 * It is a modal dialog of its own: whatever is modal below it would otherwise make it inert, nothing of the page can be
 * drawn over it, and no ancestor can make it see-through, all of which the frame itself would refuse to be pressed in.
 * What is pressed beside it goes to what is seen there.
 *
 * @param outside called when Escape was pressed while the frame did not have the focus
 * @returns what takes it away, and gives the focus back
 */
export function placeFrame(dialog: HTMLDialogElement, element: HTMLElement, outside: () => void): () => void {
  const over = new AbortController()
  const { signal } = over
  let last = ''
  // Nothing of the frame sticks out where the page rounds what it lies in.
  const { borderBottomLeftRadius, borderBottomRightRadius } = getComputedStyle(element)
  const corners = `border-radius: 0 0 ${borderBottomRightRadius} ${borderBottomLeftRadius}`
  const follow = (): void => {
    if (signal.aborted) return
    const { left, top, width, height } = element.getBoundingClientRect()
    const next = `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px; ${corners}`
    // Written only when it changes: the frame counts how long it was where it is.
    if (next !== last) dialog.style.cssText = next
    last = next
    requestAnimationFrame(follow)
  }
  const cancel = (event: Event): void => {
    event.preventDefault()
    outside()
  }
  follow()
  show(dialog)
  dialog.addEventListener('cancel', cancel, { signal })
  dialog.addEventListener('click', (event) => event.target === dialog && pressBelow(dialog, event), { signal })
  for (const name of presses) dialog.addEventListener(name, (event) => event.stopPropagation(), { signal })
  return () => {
    over.abort()
    dialog.close()
    setReachable(dialog, false)
    dialog.style.cssText = ''
  }
}

/** What dialogs of the page listen for, to close when it happens outside of them. */
const presses = ['pointerdown', 'mousedown', 'touchstart', 'focusin'] as const

/** Whether keys and screen readers come to the frame. */
export function setReachable(dialog: HTMLDialogElement, reachable: boolean): void {
  for (const iframe of dialog.children) iframe.toggleAttribute('inert', !reachable)
}

function show(dialog: HTMLDialogElement): void {
  setReachable(dialog, true)
  if (!dialog.open) dialog.showModal()
  dialog.querySelector('iframe')?.focus()
}

/** What was pressed lies below a dialog that makes it inert, but the visitor saw it and meant it. */
function pressBelow(dialog: HTMLDialogElement, { clientX, clientY }: MouseEvent): void {
  const { left, top, right, bottom } = dialog.getBoundingClientRect()
  if (clientX >= left && clientX <= right && clientY >= top && clientY <= bottom) return
  dialog.close()
  const below = deepestAt(document, clientX, clientY)
  show(dialog)
  below?.dispatchEvent(
    new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, clientX, clientY, view: window }),
  )
}

function deepestAt(root: DocumentOrShadowRoot, x: number, y: number): Element | undefined {
  const found = root.elementFromPoint(x, y) ?? undefined
  const inner = found?.shadowRoot ?? undefined
  return inner === undefined || inner === root ? found : (deepestAt(inner, x, y) ?? found)
}
