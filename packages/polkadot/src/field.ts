/** A field of what may be anything, even something that throws when it is looked at. */
export function field(value: unknown, name: string): unknown {
  try {
    const isThing = (typeof value === 'object' && value !== null) || typeof value === 'function'
    return isThing ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}
