import type { Latchkey } from '@latchkey/core'
import { modalOf } from '../modal.ts'

/**
 * Takes back a modal that could not be drawn. Nothing was shown, so nothing else ends with it.
 *
 * @example abandonModal(latchkey)
 */
export function abandonModal(latchkey: Latchkey): void {
  const { state } = modalOf(latchkey)
  if (!state.getState().open) return
  state.setState({ open: false }, true)
  latchkey.events.emit({ type: 'modal-close' })
}
