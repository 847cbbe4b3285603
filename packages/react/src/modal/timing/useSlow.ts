import { internalsOf } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../context.ts'

/** The time after which a wait counts as slow. */
const slowMilliseconds = 8_000

/**
 * Returns true if an operation takes long.
 *
 * @param wait identifies the pending operation; `undefined` if there is none
 */
export function useSlow(wait: string | undefined): boolean {
  const { clock } = internalsOf(useLatchkey())
  const [late, setLate] = useState<string>()
  useEffect(() => {
    if (wait === undefined) return
    const cancel = clock.after(slowMilliseconds, () => setLate(wait))
    return () => {
      cancel()
      setLate(undefined)
    }
  }, [clock, wait])
  return wait !== undefined && late === wait
}
