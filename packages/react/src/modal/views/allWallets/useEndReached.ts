import { useEffect, useState, type RefCallback } from 'react'

/**
 * Calls back when the end of a list is about to come into sight, and again as long as it stays there.
 *
 * @param length how long the list is by now
 */
export function useEndReached(
  reached: () => void,
  length: number,
): { end: RefCallback<HTMLElement>; scroller: RefCallback<HTMLElement> } {
  const [end, setEnd] = useState<HTMLElement | null>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (end === null) return
    const observer = new IntersectionObserver(([entry]) => setIsNear(entry?.isIntersecting ?? false), {
      root: scroller,
      rootMargin: '240px 0px',
    })
    observer.observe(end)
    return () => {
      observer.disconnect()
      setIsNear(false)
    }
  }, [end, scroller])
  useEffect(() => {
    if (isNear && length > 0) reached()
    // Only coming near and growing are news; what is called may be new in every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isNear, length])
  return { end: setEnd, scroller: setScroller }
}
