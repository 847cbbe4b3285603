import type { Latchkey } from './latchkey.ts'

/**
 * What a part keeps with an instance, so that nothing lives in module scope. Made when first asked for.
 *
 * @param key the part's own symbol, used with one type only
 * @example const swap = companion(latchkey, swapKey, () => createSwap(latchkey))
 */
export function companion<value extends object>(latchkey: Latchkey, key: symbol, make: () => value): value {
  const present = latchkey.companions.get(key)
  // Each part writes under its own symbol only, and uses it with one type.
  if (present !== undefined) return present as value
  const made = make()
  latchkey.companions.set(key, made)
  return made
}
