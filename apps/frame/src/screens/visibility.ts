/**
 * Watches whether elements are wholly seen: not covered, faded, shrunk, turned or scrolled away, here or in any page around.
 *
 * @returns what stops it; undefined where the browser cannot prove any of that (IntersectionObserver v2)
 */
export type WatchVisibility = (
  elements: readonly Element[],
  told: (isSeen: boolean) => void,
) => (() => void) | undefined

const whole = 0.99
/** What makes it the second version. */
const second = { trackVisibility: true, delay: 100 } as const

/** The browser's own proof. It looks at most every 100 ms, for looking costs. */
export const watchVisibility: WatchVisibility = (elements, told) => {
  if (typeof IntersectionObserverEntry === 'undefined' || !('isVisible' in IntersectionObserverEntry.prototype)) {
    return undefined
  }
  const seen = new Map<Element, boolean>(elements.map((element) => [element, false]))
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) seen.set(entry.target, isWhole(entry))
      told([...seen.values()].every(Boolean))
    },
    { threshold: [0, whole, 1], ...second },
  )
  for (const element of elements) observer.observe(element)
  return () => observer.disconnect()
}

/** TypeScript's library does not know the second version yet. */
function isWhole(entry: IntersectionObserverEntry): boolean {
  return Reflect.get(entry, 'isVisible') === true && entry.intersectionRatio >= whole
}
