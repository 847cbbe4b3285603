/** True for objects as JSON knows them: no arrays, no `null`. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a member of an unknown value. Returns `undefined` if the value is no object and no array. */
export function getMember(value: unknown, name: string | number): unknown {
  return isJsonObject(value) || Array.isArray(value) ? Reflect.get(value, name) : undefined
}
