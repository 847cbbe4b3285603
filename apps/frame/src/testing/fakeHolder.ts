import type { KeyHolder } from '../worker/keyHolder.ts'

/** A holder of which only some verbs are there; calling another is a mistake of the test. */
export function fakeHolder(verbs: Partial<KeyHolder>): KeyHolder {
  return new Proxy(verbs, {
    get(known, verb) {
      if (Reflect.has(known, verb)) return Reflect.get(known, verb)
      return () => Promise.reject(new Error(`${String(verb)} is not expected here`))
    },
    // Each verb that is asked for is a function.
  }) as KeyHolder
}
