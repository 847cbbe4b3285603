import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Duration of a roll, like that of a changing view [R2.2.9]. */
const rollMilliseconds = 150

/**
 * Animates a number when it changes. Does not animate the first value, or any value with reduced motion.
 *
 * @param value the number on screen; undefined while it is loading
 * @returns the ref of the element that shows it, which must be able to move (`inline-block`)
 */
export function useRoll(value: bigint | number | undefined): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null)
  const previous = useRef(value)
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = value
    if (before === undefined || value === undefined || before === value) return
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const from = value > before ? '0 .5em' : '0 -.5em'
    element.current?.animate([{ opacity: 0, translate: from }, {}], { duration: rollMilliseconds, easing: 'ease-out' })
  }, [value])
  return element
}
