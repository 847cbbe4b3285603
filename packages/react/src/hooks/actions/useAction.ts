import type { ActionCalls, InstanceAction, ActionState } from '@latchkey/core'
import { createAction } from '@latchkey/core/internal'
import { useMemo } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStore } from '../../useStore.ts'

/** An action as a hook returns it: the state of its last call, and functions that stay the same between renders. */
export type Action<args extends readonly unknown[], data> = ActionState<data> & ActionCalls<args, data>

/**
 * Tracks the calls of an action of the nearest instance. A call continues if its component is removed.
 *
 * @param action a function that stays the same between renders
 */
export function useAction<args extends readonly unknown[], data>(
  action: InstanceAction<args, data>,
): Action<args, data> {
  const latchkey = useLatchkey()
  const { state, mutate, mutateAsync, reset } = useMemo(
    () => createAction<args, data>((...args) => action(latchkey, ...args)),
    [latchkey, action],
  )
  return { ...useStore(state), mutate, mutateAsync, reset }
}
