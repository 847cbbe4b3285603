import type { Latchkey } from '@latchkey/core'

/** What this binding keeps with an instance, so that nothing lives in module scope. Made when first asked for. */
export function companion<value extends object>(latchkey: Latchkey, key: symbol, make: () => value): value {
  const present = latchkey.companions.get(key)
  // Only this function writes under our own symbols, and each symbol is used with one type.
  if (present !== undefined) return present as value
  const made = make()
  latchkey.companions.set(key, made)
  return made
}
