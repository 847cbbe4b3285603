import { useEffect, useState, type RefCallback } from 'react'

/** How far from sight the end of a list still is when more of it is fetched. */
const ahead = '240px 0px'

/**
 * Calls back when the end of a list is about to come into sight, and again when it grew and still is.
 *
 * @param length how long the list is by now; nothing is called while it is empty
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
    // What is called does the same in every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [end, scroller, length])
  return { end: setEnd, scroller: setScroller }
}
