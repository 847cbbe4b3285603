import { useEffect, useState } from 'react'
import { useLatchkey } from '../context.ts'

/** How long somebody waits before he wonders. */
const patienceMilliseconds = 8_000

/**
 * Whether a wait has become long.
 *
 * @param wait names the wait; undefined while nothing is waited for
 */
export function useSlow(wait: string | undefined): boolean {
  const { clock } = useLatchkey()
  const [late, setLate] = useState<string>()
  useEffect(() => {
    if (wait === undefined) return
    const cancel = clock.after(patienceMilliseconds, () => setLate(wait))
    return () => {
      cancel()
      setLate(undefined)
    }
  }, [clock, wait])
  return wait !== undefined && late === wait
}
