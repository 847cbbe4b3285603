import type { LatchkeyEvent } from '@latchkey/core'
import { onScopeDispose } from 'vue'
import { useLatchkey } from './latchkeyPlugin.ts'

/**
 * Calls a function with every event of the instance until the scope of the component ends.
 *
 * @example useLatchkeyEvents((event) => console.log(event.type))
 */
export function useLatchkeyEvents(listener: (event: LatchkeyEvent) => void): void {
  onScopeDispose(useLatchkey().events.subscribe(listener))
}
