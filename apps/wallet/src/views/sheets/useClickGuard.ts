import { useEffect, useState } from 'react'
import { useWallet } from '../useStore.ts'

/**
 * Time for which clicks are ignored after a request appears, in milliseconds, because they were meant for something else.
 */
const settlingTime = 300

/** Returns true once the buttons accept clicks. They ignore clicks right after a request replaces another. */
export function useClickGuard(key: string | undefined): boolean {
  const { clock } = useWallet()
  const [readyKey, setReadyKey] = useState<string>()
  useEffect(() => {
    if (key === undefined) return
    return clock.after(settlingTime, () => setReadyKey(key))
  }, [clock, key])
  return readyKey === key
}
