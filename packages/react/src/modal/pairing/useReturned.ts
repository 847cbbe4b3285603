import { useEffect, useState } from 'react'

/**
 * Whether the visitor left the page and came back, as one does who opens a wallet on the same device.
 *
 * @param wait names what is waited for; undefined while nothing is
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
