import { Type, type Static } from '@sinclair/typebox'
import { base64urlSchema, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import type { WrappedKey } from './recoveryStore.ts'

/** The schema of a wrapped recovery key in JSON. */
export const wrappedKeySchema = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,128}$' }),
  method: Type.Enum({ auto: 'auto', password: 'password', passkey: 'passkey' }),
  wrapped: base64urlSchema(256),
  facts: Type.String({ maxLength: 1_024 }),
})

/** Parses a wrapped recovery key. @throws Problem 400 `wraps` */
export function parseWrappedKey({ wrapped, ...rest }: Static<typeof wrappedKeySchema>): WrappedKey {
  return { ...rest, wrapped: parseBase64url(wrapped, 'wraps') }
}
