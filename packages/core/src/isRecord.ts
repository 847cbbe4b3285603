/** Whether a value has fields that can be looked at: what comes over the wire or from a page's storage may be anything. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
