import { httpError, isRecord } from '@latchkey/protocol'

/** An object whose fields are unverified. Any of them may be missing. */
export type Fields = Readonly<Record<string, unknown>>

/** Returns a value if it is a non-empty string, else undefined. */
export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The fields of an object that may be missing. */
export function toFields(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

/**
 * Parses a page entry by entry. Invalid entries are left out.
 *
 * @param subject the name of the page for the error message
 * @throws LatchkeyError `http/invalid-response` if the response is not a page.
 */
export function parsePage<entry>(
  response: unknown,
  subject: string,
  read: (fields: Fields) => entry | undefined,
): { data: readonly entry[]; next: string | null } {
  const data = toFields(response)['data']
  if (!Array.isArray(data)) throw httpError('http/invalid-response', { subject })
  return {
    data: data.filter(isRecord).flatMap((fields) => read(fields) ?? []),
    next: nonEmptyString(toFields(response)['next']) ?? null,
  }
}
