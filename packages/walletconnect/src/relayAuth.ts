import { toBase64Url, utf8Bytes } from './bytes.ts'
import { didKey } from './didKey.ts'
import type { Signer } from './curves.ts'

/** How long a relay may accept one token: a day, in seconds. */
const tokenLifetime = 86_400

export type RelayAuthRequest = {
  signer: Signer
  /** The relay URL exactly as configured. */
  audience: string
  /** Random text that names this run of the client. */
  subject: string
  /** Unix seconds. */
  issuedAt: number
}

/** Signs the JWT (EdDSA, RFC 8037) by which a client introduces itself to a relay. */
export async function relayAuthToken({ signer, audience, subject, issuedAt }: RelayAuthRequest): Promise<string> {
  const claims = {
    iss: didKey(signer.publicKey),
    sub: subject,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + tokenLifetime,
    act: 'client_auth',
  }
  const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${toBase64Url(await signer.sign(utf8Bytes(signed)))}`
}

function encode(part: object): string {
  return toBase64Url(utf8Bytes(JSON.stringify(part)))
}
