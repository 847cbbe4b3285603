import { useEffect, useState } from 'react'
import { useLatchkey } from '../context.ts'

/**
 * The whole seconds until a moment, 0 once it is past.
 *
 * @param moment milliseconds since the epoch, by the instance's clock
 */
export function useSecondsUntil(moment: number | undefined): number {
  const { clock } = useLatchkey()
  const [seen, setSeen] = useState(() => ({ moment, now: clock.now() }))
  // Another moment is counted from now, not from when the one before was looked at.
  const now = seen.moment === moment ? seen.now : clock.now()
  if (seen.moment !== moment) setSeen({ moment, now })
  const seconds = moment === undefined ? 0 : Math.max(0, Math.ceil((moment - now) / 1000))
  useEffect(() => {
    if (seconds > 0) return clock.after(1000, () => setSeen({ moment, now: clock.now() }))
  }, [clock, seconds, now, moment])
  return seconds
}
