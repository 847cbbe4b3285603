/**
 * Gets a field of parsed JSON or other unknown input.
 *
 * @param path the names of the fields, outermost first
 * @returns the value, or `undefined` if a field on the path is missing
 * @example getField(response, 'data', 'items')
 */
export function getField(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  )
}
