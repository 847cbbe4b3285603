/** True if a value is an object with fields. Values from the network or from storage may be anything. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
