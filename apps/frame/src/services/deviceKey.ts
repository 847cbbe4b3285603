import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { toBase64url } from './toBase64url.ts'

/** The key of this browser. It is not extractable and proves every request (DPoP, RFC 9449). */
export type DeviceKey = {
  readonly pair: CryptoKeyPair
  /** JWK thumbprint (RFC 7638). */
  readonly thumbprint: string
  /** Creates the proof of one request. `url` has no query and no fragment. */
  prove(request: { method: string; url: string; accessToken?: string; now: number }): Promise<string>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }

/** Creates a key that no script can read. */
export async function createDeviceKey(): Promise<DeviceKey> {
  return openDeviceKey(await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']))
}

/** Opens a stored key. */
export async function openDeviceKey(pair: CryptoKeyPair): Promise<DeviceKey> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  const jwk = { crv, kty, x, y }
  const thumbprint = toBase64url(sha256(utf8ToBytes(JSON.stringify(jwk))))
  return {
    pair,
    thumbprint,
    async prove({ method, url, accessToken, now }) {
      const header = { alg: 'ES256', typ: 'dpop+jwt', jwk }
      const claims = {
        jti: crypto.randomUUID(),
        htm: method,
        htu: url,
        iat: Math.floor(now / 1_000),
        ...(accessToken !== undefined && { ath: toBase64url(sha256(utf8ToBytes(accessToken))) }),
      }
      const signed = [header, claims].map((part) => toBase64url(utf8ToBytes(JSON.stringify(part)))).join('.')
      const signature = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        pair.privateKey,
        Uint8Array.from(utf8ToBytes(signed)),
      )
      return `${signed}.${toBase64url(new Uint8Array(signature))}`
    },
  }
}
