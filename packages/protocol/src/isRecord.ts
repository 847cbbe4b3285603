/**
 * Tells whether untrusted data is an object with named fields. Lists and `null` are not records.
 *
 * @example if (isRecord(response)) console.log(response['id'])
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
