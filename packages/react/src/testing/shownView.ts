import type { Latchkey } from '@latchkey/core'
import { currentEntry, modalOf, type ViewName } from '@latchkey/modal'

/** Returns the view that the modal shows, or undefined if it is closed. */
export function shownView(latchkey: Latchkey): ViewName | undefined {
  const state = modalOf(latchkey).state.getState()
  return state.open ? currentEntry(state).view : undefined
}
