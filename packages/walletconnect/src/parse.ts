/** What came from outside, before anybody looked at it. */
export type UnknownRecord = { readonly [key: string]: unknown }

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Reads JSON; nothing when the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text of the other side, short enough to be shown. */
export function shortText(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : otherwise
}
