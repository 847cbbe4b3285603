import { getField } from './getField.ts'

/**
 * Reads a text field of untrusted data.
 *
 * @returns the text, or `undefined` if the field is missing, empty or not a text
 * @example getStringField(account, 'address')
 */
export function getStringField(value: unknown, ...path: readonly string[]): string | undefined {
  const found = getField(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}
