/**
 * Styles of the frame's dialog, which has no look of its own. The closed dialog keeps its size, because the frame
 * measures its next screen by it. It is drawn transparently: browsers that stop drawing a hidden cross-origin frame
 * have shown a grey box when it came back. The iframe itself is slotted, and important rules of a shadow root win over
 * those of the page.
 */
export const frameCss = `
  dialog { display: block; position: fixed; inset: auto; margin: 0; padding: 0; border: 0; max-width: none;
    max-height: none; overflow: hidden; background: transparent; outline: 0 }
  dialog:not([open]) { visibility: hidden; opacity: 0; pointer-events: none; left: 0; top: 0; width: min(360px, 100vw);
    height: 600px; z-index: -1 }
  dialog::backdrop { background: transparent }
  ::slotted(iframe) { all: initial !important; display: block !important; width: 100% !important; height: 100% !important;
    color-scheme: normal !important }
`

/**
 * Shows the frame's dialog over an element and follows that element. The modal dialog keeps the frame from being inert
 * under other modal dialogs, covered by the page or made transparent by an ancestor, all of which the frame refuses.
 * Clicks outside of the frame are passed to the element below.
 *
 * @param outside called if Escape is pressed while the frame has no focus
 * @returns a function that removes the dialog and restores the focus
 */
export function placeFrame(dialog: HTMLDialogElement, element: HTMLElement, outside: () => void): () => void {
  const controller = new AbortController()
  const { signal } = controller
  let last = ''
  // The frame follows the rounded corners of its container.
  const { borderBottomLeftRadius, borderBottomRightRadius } = getComputedStyle(element)
  const corners = `border-radius: 0 0 ${borderBottomRightRadius} ${borderBottomLeftRadius}`
  const follow = (): void => {
    if (signal.aborted) return
    const { left, top, width, height } = element.getBoundingClientRect()
    const next = `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px; ${corners}`
    // Written on changes only: the frame measures how long its position is stable.
    if (next !== last) dialog.style.cssText = next
    last = next
    requestAnimationFrame(follow)
  }
  const cancel = (event: Event): void => {
    event.preventDefault()
    outside()
  }
  follow()
  showFrameDialog(dialog)
  dialog.addEventListener('cancel', cancel, { signal })
  dialog.addEventListener('click', (event) => event.target === dialog && pressElementBelow(dialog, event), { signal })
  for (const name of presses) dialog.addEventListener(name, (event) => event.stopPropagation(), { signal })
  return () => {
    controller.abort()
    dialog.close()
    setReachable(dialog, false)
    dialog.style.cssText = ''
  }
}

/** Events that close dialogs of the page when they happen outside. */
const presses = ['pointerdown', 'mousedown', 'touchstart', 'focusin'] as const

/** Makes the frame reachable for keyboard and screen readers. */
export function setReachable(dialog: HTMLDialogElement, reachable: boolean): void {
  frameOf(dialog)?.toggleAttribute('inert', !reachable)
}

function frameOf(dialog: HTMLDialogElement): HTMLElement | undefined {
  const [iframe] = dialog.querySelector('slot')?.assignedElements() ?? []
  return iframe instanceof HTMLElement ? iframe : undefined
}

function showFrameDialog(dialog: HTMLDialogElement): void {
  setReachable(dialog, true)
  if (!dialog.open) dialog.showModal()
  frameOf(dialog)?.focus()
}

/** The element below is inert, but the user saw and clicked it. */
function pressElementBelow(dialog: HTMLDialogElement, { clientX, clientY }: MouseEvent): void {
  const { left, top, right, bottom } = dialog.getBoundingClientRect()
  if (clientX >= left && clientX <= right && clientY >= top && clientY <= bottom) return
  dialog.close()
  const below = deepestElementAt(document, clientX, clientY)
  showFrameDialog(dialog)
  below?.dispatchEvent(
    new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, clientX, clientY, view: window }),
  )
}

function deepestElementAt(root: DocumentOrShadowRoot, x: number, y: number): Element | undefined {
  const found = root.elementFromPoint(x, y) ?? undefined
  const inner = found?.shadowRoot ?? undefined
  return inner === undefined || inner === root ? found : (deepestElementAt(inner, x, y) ?? found)
}
