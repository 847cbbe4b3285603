import { useEffect, useState } from 'react'
import { useWallet } from '../useStore.ts'

/** Milliseconds in which a press cannot have been meant for what has just appeared. */
const settlingTime = 300

/** Whether the buttons may be pressed: not in the moment in which another question took the place of the last one. */
export function useArmed(key: string | undefined): boolean {
  const { clock } = useWallet()
  const [armed, setArmed] = useState<string>()
  useEffect(() => {
    if (key === undefined) return
    return clock.after(settlingTime, () => setArmed(key))
  }, [clock, key])
  return armed === key
}
