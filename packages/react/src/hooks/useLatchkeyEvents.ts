import type { LatchkeyEvent } from '@latchkey/core'
import { useEffect } from 'react'
import { useLatchkey } from '../context.ts'

/**
 * Calls back with everything the instance tells, as long as the component is there.
 *
 * @example useLatchkeyEvents((event) => console.log(event.type))
 */
export function useLatchkeyEvents(listener: (event: LatchkeyEvent) => void): void {
  const latchkey = useLatchkey()
  useEffect(() => latchkey.events.subscribe(listener), [latchkey, listener])
}
