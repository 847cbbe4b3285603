import { closeModal } from '@latchkey/modal'
import { useEffect } from 'react'
import { useLatchkey } from '../../../context.ts'

/** The events that dialogs of component libraries listen for on the document, to close on an outside click. */
const presses = ['pointerdown', 'mousedown', 'touchstart', 'click', 'focusin'] as const

/**
 * Hides events in the open modal from the page's own dialogs. They would treat a click or Escape in the modal as one outside
 * of themselves, and close.
 */
export function useOwnEvents({ host }: ShadowRoot, isOpen: boolean): void {
  const latchkey = useLatchkey()
  useEffect(() => {
    if (!isOpen) return
    const keep = (event: Event): void => event.stopPropagation()
    const handleKeydown = (event: KeyboardEvent): void => {
      const { activeElement, body } = document
      if (event.key !== 'Escape' || event.isComposing || (activeElement !== host && activeElement !== body)) return
      // Those dialogs listen in the capture phase of the document, so this listener must run before them.
      event.stopImmediatePropagation()
      event.preventDefault()
      closeModal(latchkey)
    }
    // A dialog that has opened in the meantime has hidden the modal from screen readers, like all other elements of the
    // page.
    for (const name of ['aria-hidden', 'inert']) host.removeAttribute(name)
    for (const press of presses) host.addEventListener(press, keep)
    addEventListener('keydown', handleKeydown, { capture: true })
    return () => {
      for (const press of presses) host.removeEventListener(press, keep)
      removeEventListener('keydown', handleKeydown, { capture: true })
    }
  }, [host, isOpen, latchkey])
}
