import { useEffect, useState, type RefCallback } from 'react'

/** The distance from the viewport at which more rows are loaded. */
const ahead = '240px 0px'

/**
 * Calls a function when the end of a list is near the viewport, and again if it still is after the list grew.
 *
 * @param length the length of the list; the function is not called while it is 0
 */
export function useEndReached(
  length: number,
  reached: () => void,
): { end: RefCallback<HTMLElement>; scroller: RefCallback<HTMLElement> } {
  const [end, setEnd] = useState<HTMLElement | null>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (end === null || scroller === null || length === 0) return
    const observer = new IntersectionObserver((sightings) => sightings.at(-1)?.isIntersecting === true && reached(), {
      root: scroller,
      rootMargin: ahead,
    })
    observer.observe(end)
    return () => observer.disconnect()
    // The function is equivalent in every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [end, scroller, length])
  return { end: setEnd, scroller: setScroller }
}
