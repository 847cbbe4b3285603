import type { Latchkey } from '../latchkey.ts'

/** Takes back a modal that was opened and could not be drawn. Nothing was shown, so nothing else ends with it. */
export function abandonModal(latchkey: Latchkey): void {
  if (!latchkey.modal.getState().open) return
  latchkey.modal.setState({ open: false }, true)
  latchkey.events.emit({ type: 'modal-close' })
}
