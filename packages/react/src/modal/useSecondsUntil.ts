import { useEffect, useState } from 'react'
import { useLatchkey } from '../context.ts'

/**
 * The whole seconds until a moment, 0 once it is past.
 *
 * @param moment milliseconds since the epoch, by the instance's clock
 */
export function useSecondsUntil(moment: number | undefined): number {
  const { clock } = useLatchkey()
  const [now, setNow] = useState(() => clock.now())
  const seconds = moment === undefined ? 0 : Math.max(0, Math.ceil((moment - now) / 1000))
  useEffect(() => {
    if (seconds > 0) return clock.after(1000, () => setNow(clock.now()))
  }, [clock, seconds, now])
  return seconds
}
