import { createPrivateKey, randomBytes, sign, type KeyObject } from 'node:crypto'

const lifetimeSeconds = 120

export type CoinbaseTokenOptions = {
  keyId: string
  keySecret: string
  method: string
  host: string
  path: string
  now: number
}

/**
 * Creates the bearer token of one request to Coinbase's developer platform: a JWT (RFC 7519) that names the method, host
 * and path, and expires after two minutes.
 *
 * @param options `keySecret` is an Ed25519 key (64 bytes in base64) or an EC key in PEM; `now` is in milliseconds
 */
export function createCoinbaseToken({ keyId, keySecret, method, host, path, now }: CoinbaseTokenOptions): string {
  const { key, algorithm } = parseSecretKey(keySecret)
  const seconds = Math.floor(now / 1_000)
  const header = { alg: algorithm, typ: 'JWT', kid: keyId, nonce: randomBytes(16).toString('hex') }
  const payload = {
    iss: 'cdp',
    sub: keyId,
    nbf: seconds,
    iat: seconds,
    exp: seconds + lifetimeSeconds,
    uris: [`${method} ${host}${path}`],
  }
  const signed = `${encodeJsonPart(header)}.${encodeJsonPart(payload)}`
  const signature =
    algorithm === 'EdDSA'
      ? sign(null, Buffer.from(signed), key)
      : sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

function encodeJsonPart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function parseSecretKey(secret: string): { key: KeyObject; algorithm: 'EdDSA' | 'ES256' } {
  const pem = secret.replaceAll('\\n', '\n')
  if (pem.includes('-----BEGIN')) return { key: createPrivateKey(pem), algorithm: 'ES256' }
  const bytes = Buffer.from(secret, 'base64')
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    d: bytes.subarray(0, 32).toString('base64url'),
    x: bytes.subarray(32, 64).toString('base64url'),
  }
  return { key: createPrivateKey({ key: jwk, format: 'jwk' }), algorithm: 'EdDSA' }
}
