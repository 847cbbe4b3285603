import { currentEntry, modalOf, type ViewName } from '@latchkey/modal'
import { useLatchkey } from '@latchkey/react'
import { useSyncExternalStore } from 'react'

/** Returns the view that the modal shows, or undefined while it is closed. */
export function useModalView(): ViewName | undefined {
  const { subscribe, getState, getInitialState } = modalOf(useLatchkey()).state
  const state = useSyncExternalStore(subscribe, getState, getInitialState)
  return state.open ? currentEntry(state).view : undefined
}
