import type { StoreApi } from 'zustand/vanilla'
import type { AppKitEvent } from '../events/appKitEvent.ts'
import type { AppKitContext } from './appKitContext.ts'
import type { AppKitState } from './appKitState.ts'

export type StateMethods = {
  getState(): AppKitState
  subscribeState(callback: (state: AppKitState) => void): () => void
  /** Returns the last event. */
  getEvent(): AppKitEvent
  subscribeEvents(callback: (event: AppKitEvent) => void): () => void
}

/** Creates the methods that read the state and the events. */
export function createStateMethods({ state, event }: Pick<AppKitContext, 'state' | 'event'>): StateMethods {
  return {
    getState: state.getState,
    subscribeState: (callback) => follow(state, callback),
    getEvent: event.getState,
    subscribeEvents: (callback) => follow(event, callback),
  }
}

function follow<value>(
  { subscribe }: Pick<StoreApi<value>, 'subscribe'>,
  callback: (value: value) => void,
): () => void {
  return subscribe((value) => callback(value))
}
