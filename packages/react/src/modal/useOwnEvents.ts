import { closeModal } from '@latchkey/core'
import { useEffect } from 'react'
import { useLatchkey } from '../context.ts'

/** What the dialogs of component libraries listen for on the document, to close when it happens outside of them. */
const presses = ['pointerdown', 'mousedown', 'touchstart', 'click', 'focusin'] as const

/**
 * Keeps what happens in the open modal from the page's own dialogs below it, which would take a press or Escape here
 * for one outside of them, and close.
 */
export function useOwnEvents({ host }: ShadowRoot, isOpen: boolean): void {
  const latchkey = useLatchkey()
  useEffect(() => {
    if (!isOpen) return
    const keep = (event: Event): void => event.stopPropagation()
    const hear = (event: KeyboardEvent): void => {
      const { activeElement, body } = document
      if (event.key !== 'Escape' || event.isComposing || (activeElement !== host && activeElement !== body)) return
      // They listen on the document before anything below it, so this has to come before them.
      event.stopImmediatePropagation()
      event.preventDefault()
      closeModal(latchkey)
    }
    // A dialog that opened after the modal was last shown hid it from screen readers, like all that was beside it.
    for (const name of ['aria-hidden', 'inert']) host.removeAttribute(name)
    for (const press of presses) host.addEventListener(press, keep)
    addEventListener('keydown', hear, { capture: true })
    return () => {
      for (const press of presses) host.removeEventListener(press, keep)
      removeEventListener('keydown', hear, { capture: true })
    }
  }, [host, isOpen, latchkey])
}
