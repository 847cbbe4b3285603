import { getField } from './getField.ts'

/**
 * Reads a string field of untrusted data.
 *
 * @returns the string, or `undefined` if the field is missing, empty or not a string
 * @example getStringField(account, 'address')
 */
export function getStringField(value: unknown, ...path: readonly string[]): string | undefined {
  const found = getField(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}
