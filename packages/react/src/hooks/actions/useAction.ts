import type { Latchkey } from '@latchkey/core'
import { useCallback, useRef, useState } from 'react'
import { useLatchkey } from '../../context.ts'

/** An action of core: the instance comes first. */
export type ActionOfInstance<args extends readonly unknown[], data> = (
  latchkey: Latchkey,
  ...args: args
) => Promise<data>

/** The state of the last call of an action. */
export type ActionState<data> =
  | { readonly status: 'idle'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'error'; readonly data: undefined; readonly error: unknown }
  | { readonly status: 'success'; readonly data: data; readonly error: undefined }

/** Functions that call an action. They stay the same between renders. */
export type ActionCalls<args extends readonly unknown[], data> = {
  /** Calls the action. Its outcome appears in `status`, `data` and `error`. */
  mutate(...args: args): void
  /** Calls the action and returns its outcome as a promise, which rejects as the action does. */
  mutateAsync(...args: args): Promise<data>
  /** Forgets the outcome. A pending call continues, but no longer changes the state. */
  reset(): void
}

/** An action as a hook returns it: the state of its last call, and the functions that call it. */
export type Action<args extends readonly unknown[], data> = ActionState<data> & ActionCalls<args, data>

const idle = { status: 'idle', data: undefined, error: undefined } as const

/**
 * Tracks the calls of an action of the nearest instance. If calls overlap, the last one determines the state. A call
 * continues if its component is removed.
 *
 * @param action a function that stays the same between renders
 */
export function useAction<args extends readonly unknown[], data>(
  action: ActionOfInstance<args, data>,
): Action<args, data> {
  const latchkey = useLatchkey()
  const [state, setState] = useState<ActionState<data>>(idle)
  const lastCall = useRef(0)
  const mutateAsync = useCallback(
    async (...args: args): Promise<data> => {
      const call = ++lastCall.current
      const settle = (outcome: ActionState<data>): void => {
        if (call === lastCall.current) setState(outcome)
      }
      settle({ status: 'pending', data: undefined, error: undefined })
      try {
        const data = await action(latchkey, ...args)
        settle({ status: 'success', data, error: undefined })
        return data
      } catch (error) {
        settle({ status: 'error', data: undefined, error })
        throw error
      }
    },
    [latchkey, action],
  )
  // The state reports the failure.
  const mutate = useCallback((...args: args): void => void mutateAsync(...args).catch(() => {}), [mutateAsync])
  const reset = useCallback(() => {
    lastCall.current += 1
    setState(idle)
  }, [])
  return { ...state, mutate, mutateAsync, reset }
}
