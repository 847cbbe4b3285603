import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Latchkey } from '../instance/latchkey.ts'

/** An action of core: the instance comes first. */
export type InstanceAction<args extends readonly unknown[], data> = (latchkey: Latchkey, ...args: args) => Promise<data>

/** The state of the last call of an action. */
export type ActionState<data> =
  | { readonly status: 'idle'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'error'; readonly data: undefined; readonly error: unknown }
  | { readonly status: 'success'; readonly data: data; readonly error: undefined }

/** Functions that call an action. */
export type ActionCalls<args extends readonly unknown[], data> = {
  /** Calls the action. Its outcome appears in `status`, `data` and `error`. */
  mutate(...args: args): void
  /** Calls the action and returns its outcome as a promise, which rejects as the action does. */
  mutateAsync(...args: args): Promise<data>
  /** Forgets the outcome. A pending call continues, but no longer changes the state. */
  reset(): void
}

const idle = { status: 'idle', data: undefined, error: undefined } as const

/**
 * Tracks the calls of an action. If calls overlap, the last one determines the state, so that a late response does not
 * replace a newer one.
 *
 * @returns the functions that call the action, and the state of its last call as a store
 * @example const { mutate, state } = createAction((text: string) => signMessage(latchkey, text))
 */
export function createAction<args extends readonly unknown[], data>(
  action: (...args: args) => Promise<data>,
): ActionCalls<args, data> & { state: StoreApi<ActionState<data>> } {
  const state = createStore<ActionState<data>>(() => idle)
  let lastCall = 0
  async function mutateAsync(...args: args): Promise<data> {
    const call = ++lastCall
    const settle = (outcome: ActionState<data>): void => {
      if (call === lastCall) state.setState(outcome, true)
    }
    settle({ status: 'pending', data: undefined, error: undefined })
    try {
      const data = await action(...args)
      settle({ status: 'success', data, error: undefined })
      return data
    } catch (error) {
      settle({ status: 'error', data: undefined, error })
      throw error
    }
  }
  return {
    state,
    mutateAsync,
    // The state reports the failure.
    mutate: (...args) => void mutateAsync(...args).catch(() => {}),
    reset() {
      lastCall += 1
      state.setState(idle, true)
    },
  }
}
