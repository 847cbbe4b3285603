import { useEffect, useState } from 'react'

/**
 * Returns true if the user left the page and came back, as users do who open a wallet on the same device.
 *
 * @param wait identifies the pending operation; `undefined` if there is none
 */
export function useReturned(wait: string | undefined): boolean {
  const [returned, setReturned] = useState<string>()
  useEffect(() => {
    if (wait === undefined) return
    let left = document.visibilityState === 'hidden'
    const look = (): void => {
      if (document.visibilityState === 'hidden') left = true
      else if (left) setReturned(wait)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [wait])
  return wait !== undefined && returned === wait
}
