import { createPublicKey, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { base58, base64urlnopad } from '@scure/base'

/** The result of verifying a token. Clients look for the exact texts of the reasons. */
export type ClientTokenResult = { ok: true; clientId: string } | { ok: false; tag: string; reason: string }

export type ClientTokenRules = {
  /** Milliseconds since 1970. */
  now: number
  /** Addresses of this relay that a token may name; empty accepts any. */
  audiences: readonly string[]
}

/** The issuer and the claims of a token whose signature was verified. */
export type SignedToken = { issuer: string; claims: Readonly<Record<string, unknown>> }

/** Tolerated error of the clocks of phones. */
const toleranceSeconds = 120
const maxLifetimeSeconds = 24 * 60 * 60 + 5 * 60
const verifyOnThread = promisify(verify)
/** The multicodec prefix of an Ed25519 public key. */
const multicodec = [0xed, 0x01] as const

/**
 * Verifies a client's token: an EdDSA JWT whose issuer is the `did:key` that signed it.
 */
export async function verifyClientToken(
  token: string | undefined,
  { now, audiences }: ClientTokenRules,
): Promise<ClientTokenResult> {
  if (token === undefined || token === '') return rejectToken('MissingJwt', 'Unauthorized: missing auth token')
  const signed = await parseSignedToken(token)
  if (typeof signed === 'string') return invalidJwt(signed)
  const { issuer, claims } = signed
  const { iat, exp, sub, act, aud } = claims
  if (typeof sub !== 'string' || sub.length > 128) return invalidJwt('JWT subject is missing or too long')
  if (act !== undefined && act !== null && act !== 'client_auth') return invalidJwt('JWT is not for connecting')
  const error = findTimeError(claims, now) ?? findAudienceError(aud, audiences)
  if (error !== undefined) return invalidJwt(error)
  // A token without expiry would be valid forever once it is stolen, so it lives as long as any other.
  const end = typeof exp === 'number' ? exp : Number(iat) + maxLifetimeSeconds
  if (end < now / 1000 - toleranceSeconds) return invalidJwt('JWT Token is expired')
  return end - Number(iat) > maxLifetimeSeconds ? invalidJwt('JWT lives too long') : { ok: true, clientId: issuer }
}

/**
 * Parses and verifies an EdDSA JWT (RFC 8037) whose issuer is the `did:key` that signed it.
 *
 * @returns a sentence that describes the error if the token is invalid
 */
export async function parseSignedToken(token: string): Promise<SignedToken | string> {
  const [head, body, signature, ...rest] = token.split('.')
  const header = parseTokenPart(head)
  const claims = parseTokenPart(body)
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) {
    return 'JWT is malformed'
  }
  if (header['alg'] !== 'EdDSA' || header['typ'] !== 'JWT') return 'JWT header is not EdDSA'
  const issuer = claims['iss']
  const key = typeof issuer === 'string' ? parseDidKey(issuer) : undefined
  if (typeof issuer !== 'string' || key === undefined) return 'JWT issuer is not a did:key of Ed25519'
  const isValid = await isSignatureValid(`${head}.${body}`, signature, key)
  return isValid ? { issuer, claims } : 'JWT signature is wrong'
}

/**
 * Finds an error in the times of a token, which does not have to expire.
 *
 * @param now milliseconds since 1970
 */
export function findTimeError({ iat, exp }: SignedToken['claims'], now: number): string | undefined {
  const seconds = now / 1000
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'JWT has no time of issue'
  if (iat > seconds + toleranceSeconds) return 'JWT Token is not yet valid'
  if (exp === undefined || exp === null) return undefined
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return 'JWT expiry is not a time'
  return exp < seconds - toleranceSeconds ? 'JWT Token is expired' : undefined
}

/** Finds an error in the audience of a token. Accepts any audience if no address of this relay is configured. */
export function findAudienceError(aud: unknown, audiences: readonly string[]): string | undefined {
  if (typeof aud !== 'string' || !URL.canParse(aud)) return 'JWT audience is not an address'
  if (audiences.length === 0 || audiences.some((url) => normalizeUrl(url) === normalizeUrl(aud))) return undefined
  return 'JWT audience is another relay'
}

/** Clients write the relay's address with or without a slash at the end. */
function normalizeUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

function parseDidKey(did: string): Uint8Array | undefined {
  if (!did.startsWith('did:key:z')) return undefined
  try {
    const bytes = base58.decode(did.slice('did:key:z'.length))
    const isEd25519 = bytes.length === 34 && bytes[0] === multicodec[0] && bytes[1] === multicodec[1]
    return isEd25519 ? bytes.slice(2) : undefined
  } catch {
    return undefined
  }
}

/** Verifies on another thread, because clients that all reconnect would otherwise delay the requests of others. */
async function isSignatureValid(text: string, signature: string, key: Uint8Array): Promise<boolean> {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(key) }
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    return await verifyOnThread(undefined, Buffer.from(text), publicKey, base64urlnopad.decode(signature))
  } catch {
    return false
  }
}

function parseTokenPart(part: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function invalidJwt(reason: string): ClientTokenResult {
  return rejectToken('InvalidJwt', `JWT validation error: ${reason}`)
}

function rejectToken(tag: string, reason: string): ClientTokenResult {
  return { ok: false, tag, reason }
}
