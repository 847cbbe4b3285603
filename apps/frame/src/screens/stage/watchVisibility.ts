/**
 * Watches whether elements are fully visible: not covered, transparent, scaled, rotated or scrolled away, in this page
 * and in all pages around it.
 *
 * @returns a function that stops watching; `undefined` if the browser lacks IntersectionObserver v2
 */
export type WatchVisibility = (
  elements: readonly Element[],
  notify: (isSeen: boolean) => void,
) => (() => void) | undefined

const whole = 0.99
/** These options enable version 2. */
const second = { trackVisibility: true, delay: 100 } as const

/** Uses IntersectionObserver v2 with its minimum delay of 100 ms. */
export const watchVisibility: WatchVisibility = (elements, notify) => {
  if (typeof IntersectionObserverEntry === 'undefined' || !('isVisible' in IntersectionObserverEntry.prototype)) {
    return undefined
  }
  const seen = new Map<Element, boolean>(elements.map((element) => [element, false]))
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) seen.set(entry.target, isWhole(entry))
      notify([...seen.values()].every(Boolean))
    },
    { threshold: [0, whole, 1], ...second },
  )
  for (const element of elements) observer.observe(element)
  return () => observer.disconnect()
}

/** TypeScript's DOM types lack version 2. */
function isWhole(entry: IntersectionObserverEntry): boolean {
  return Reflect.get(entry, 'isVisible') === true && entry.intersectionRatio >= whole
}
