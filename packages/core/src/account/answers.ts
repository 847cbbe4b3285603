import { LatchkeyError } from '@latchkey/protocol'

/** An object whose fields may be looked at, none of which is known to be there. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text, or nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The fields of an object that may be missing. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/**
 * Reads a page entry by entry: what makes no sense is left out.
 *
 * @param what names the page in the failure
 * @throws LatchkeyError `http/invalid-answer` when it is no page.
 */
export function readPage<entry>(
  answer: unknown,
  what: string,
  read: (fields: Fields) => entry | undefined,
): { data: readonly entry[]; next: string | null } {
  const data = fieldsOf(answer)['data']
  if (!Array.isArray(data)) throw new LatchkeyError('http/invalid-answer', { what })
  return {
    data: data.filter(isFields).flatMap((fields) => read(fields) ?? []),
    next: textOf(fieldsOf(answer)['next']) ?? null,
  }
}
