import { ed25519 } from '@noble/curves/ed25519.js'
import { base64urlnopad } from '@scure/base'
import { utf8Bytes } from './bytes.ts'
import { didKey } from './didKey.ts'

/** How long a relay may accept one token: a day, in seconds. */
const tokenLifetime = 86_400

export type RelayAuthRequest = {
  /** The client's Ed25519 seed, 32 bytes. */
  seed: Uint8Array
  /** The relay URL exactly as configured. */
  audience: string
  /** Random text that names this run of the client. */
  subject: string
  /** Unix seconds. */
  issuedAt: number
}

/** Signs the JWT (EdDSA, RFC 8037) by which a client introduces itself to a relay. */
export function relayAuthToken({ seed, audience, subject, issuedAt }: RelayAuthRequest): string {
  const claims = {
    iss: didKey(ed25519.getPublicKey(seed)),
    sub: subject,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + tokenLifetime,
    act: 'client_auth',
  }
  const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${base64urlnopad.encode(ed25519.sign(utf8Bytes(signed), seed))}`
}

function encode(part: object): string {
  return base64urlnopad.encode(utf8Bytes(JSON.stringify(part)))
}
