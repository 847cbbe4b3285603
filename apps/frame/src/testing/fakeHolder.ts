import type { KeyHolder } from '../worker/keyHolder.ts'

/** A key holder with some methods only. Calling another one fails the test. */
export function fakeHolder(verbs: Partial<KeyHolder>): KeyHolder {
  return new Proxy(verbs, {
    get(known, verb) {
      if (Reflect.has(known, verb)) return Reflect.get(known, verb)
      return () => Promise.reject(new Error(`${String(verb)} is not expected here`))
    },
    // Every accessed member is a method.
  }) as KeyHolder
}
