import type { Latchkey } from '@latchkey/core'
import { modalOf } from '../modal.ts'
import { currentEntry } from '../navigation/modalState.ts'
import { goBack } from '../navigation/openModal.ts'
import type { ViewName } from '../navigation/views.ts'

/**
 * Goes back from the review of a payment that was reset, because another account or network was selected.
 *
 * @param view the view of the review; another view stays
 * @example leaveReview(latchkey, 'SwapPreview')
 */
export function leaveReview(latchkey: Latchkey, view: ViewName): void {
  const state = modalOf(latchkey).state.getState()
  if (state.open && currentEntry(state).view === view) goBack(latchkey)
}
