import { internalsOf } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../context.ts'

/**
 * Returns the whole seconds until a time, 0 once it has passed.
 *
 * @param moment milliseconds since the epoch, by the instance's clock
 */
export function useSecondsUntil(moment: number | undefined): number {
  const { clock } = internalsOf(useLatchkey())
  const [seen, setSeen] = useState(() => ({ moment, now: clock.now() }))
  // A new time is counted from now.
  const now = seen.moment === moment ? seen.now : clock.now()
  if (seen.moment !== moment) setSeen({ moment, now })
  const seconds = moment === undefined ? 0 : Math.max(0, Math.ceil((moment - now) / 1000))
  useEffect(() => {
    if (seconds > 0) return clock.after(1000, () => setSeen({ moment, now: clock.now() }))
  }, [clock, seconds, now, moment])
  return seconds
}
