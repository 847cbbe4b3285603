import type { LatchkeyEvent } from '@latchkey/core'
import { useEffect } from 'react'
import { useLatchkey } from '../context.ts'

/**
 * Calls a function with every event of the instance while the component is mounted.
 *
 * @example useLatchkeyEvents((event) => console.log(event.type))
 */
export function useLatchkeyEvents(listener: (event: LatchkeyEvent) => void): void {
  const latchkey = useLatchkey()
  useEffect(() => latchkey.events.subscribe(listener), [latchkey, listener])
}
