/**
 * Reads a field of untrusted data, such as a wallet's response or an object that an extension injected. Never throws: a
 * field whose getter throws counts as missing.
 *
 * @param path the names of the fields, the outermost first
 * @returns the value, or `undefined` if a field on the path is missing
 * @example getField(error, 'data', 'originalError', 'code')
 */
export function getField(value: unknown, ...path: readonly string[]): unknown {
  try {
    return path.reduce<unknown>((inner, name) => (isObject(inner) ? Reflect.get(inner, name) : undefined), value)
  } catch {
    return undefined
  }
}

/**
 * True if a value can have fields. Functions can: some wallets inject one and put their methods on it.
 *
 * @example if (isObject(wallet)) known.add(wallet)
 */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
