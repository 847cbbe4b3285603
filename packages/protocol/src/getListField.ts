import { getField } from './getField.ts'

/**
 * Reads a list field of untrusted data.
 *
 * @returns the list; empty if the field is missing or not a list
 * @example getListField(response, 'addresses')
 */
export function getListField(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = getField(value, ...path)
  return Array.isArray(found) ? found : []
}
