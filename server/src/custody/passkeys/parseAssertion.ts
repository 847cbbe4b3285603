import { Type, type Static } from '@sinclair/typebox'
import { base64urlSchema, parseBase64url } from '../requests/parseBase64url.ts'
import type { PasskeyAssertion } from './passkeys.ts'

/** The schema of a credential id in JSON. */
export const passkeyIdSchema = base64urlSchema(1_024)

/** The schema of a WebAuthn assertion in JSON. */
export const passkeyAssertionSchema = Type.Object({
  id: passkeyIdSchema,
  authenticatorData: base64urlSchema(1_024),
  clientDataJSON: base64urlSchema(2_048),
  signature: base64urlSchema(256),
})

/** Parses an assertion. @throws Problem 400 with the field that is not base64url */
export function parseAssertion(body: Static<typeof passkeyAssertionSchema>): PasskeyAssertion {
  return {
    id: parseBase64url(body.id, 'id'),
    authenticatorData: parseBase64url(body.authenticatorData, 'authenticatorData'),
    clientDataJSON: parseBase64url(body.clientDataJSON, 'clientDataJSON'),
    signature: parseBase64url(body.signature, 'signature'),
  }
}
