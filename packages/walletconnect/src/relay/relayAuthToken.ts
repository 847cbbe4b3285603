import { toBase64Url, encodeUtf8 } from '../crypto/bytes.ts'
import { formatDidKey } from '../crypto/didKey.ts'
import type { Signer } from '../crypto/curves.ts'

/** A day, in seconds. */
const tokenLifetime = 86_400

export type RelayAuthRequest = {
  signer: Signer
  /** The relay URL exactly as configured. */
  audience: string
  /** Random text that identifies this run of the client. */
  subject: string
  /** Unix seconds. */
  issuedAt: number
}

/** Creates the JWT (EdDSA, RFC 8037) that authenticates a client at a relay. */
export async function createRelayAuthToken({ signer, audience, subject, issuedAt }: RelayAuthRequest): Promise<string> {
  const claims = {
    iss: formatDidKey(signer.publicKey),
    sub: subject,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + tokenLifetime,
    act: 'client_auth',
  }
  const signed = `${encodeTokenPart({ alg: 'EdDSA', typ: 'JWT' })}.${encodeTokenPart(claims)}`
  return `${signed}.${toBase64Url(await signer.sign(encodeUtf8(signed)))}`
}

function encodeTokenPart(part: object): string {
  return toBase64Url(encodeUtf8(JSON.stringify(part)))
}
