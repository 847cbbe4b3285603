/** A JSON object from outside, its members not checked yet. */
export type UnknownRecord = { readonly [key: string]: unknown }

/** True for objects other than arrays and `null`. */
export function isUnknownRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for an array of strings. */
export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Parses JSON. Returns `undefined` if the string is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Limits a string from the other side to 200 characters, so that it can be shown. */
export function truncateText(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : fallback
}
