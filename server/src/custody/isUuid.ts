const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** True for a UUID in lower case (RFC 9562). PostgreSQL reports an error for other strings in a `uuid` column. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
