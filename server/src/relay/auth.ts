import { createPublicKey, verify } from 'node:crypto'
import { base58, base64urlnopad } from '@scure/base'

/** Who a token speaks for, or why it is not believed: in the words that clients look for. */
export type Verdict = { ok: true; clientId: string } | { ok: false; tag: string; reason: string }

export type AuthRules = {
  /** Milliseconds since 1970. */
  now: number
  /** Addresses of this relay that a token may be made for; empty takes any. */
  audiences: readonly string[]
}

/** A token that is signed by the key that it names, and what it says. */
export type SignedToken = { issuer: string; claims: Readonly<Record<string, unknown>> }

/** Clocks of phones are wrong: by so many seconds a token may be early, or late. */
const tolerance = 120
const longestLife = 24 * 60 * 60 + 5 * 60
/** Ed25519 public key, as multicodec writes it. */
const multicodec = [0xed, 0x01] as const

/**
 * Checks a client's token: an EdDSA JWT whose issuer is the `did:key` that signed it.
 */
export function verifyClientToken(token: string | undefined, { now, audiences }: AuthRules): Verdict {
  if (token === undefined || token === '') return refuse('MissingJwt', 'Unauthorized: missing auth token')
  const signed = readSignedToken(token)
  if (typeof signed === 'string') return invalid(signed)
  const { issuer, claims } = signed
  const { iat, exp, sub, act, aud } = claims
  if (typeof sub !== 'string' || sub.length > 128) return invalid('JWT subject is missing or too long')
  if (act !== undefined && act !== null && act !== 'client_auth') return invalid('JWT is not for connecting')
  const mistake = mistakeInTimes(claims, now) ?? mistakeInAudience(aud, audiences)
  if (mistake !== undefined) return invalid(mistake)
  const livesTooLong = typeof exp === 'number' && exp - Number(iat) > longestLife
  return livesTooLong ? invalid('JWT lives too long') : { ok: true, clientId: issuer }
}

/** Reads an EdDSA JWT (RFC 8037) whose issuer is the `did:key` that signed it; a text says what is wrong with it. */
export function readSignedToken(token: string): SignedToken | string {
  const [head, body, signature, ...rest] = token.split('.')
  const header = readPart(head)
  const claims = readPart(body)
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) {
    return 'JWT is malformed'
  }
  if (header['alg'] !== 'EdDSA' || header['typ'] !== 'JWT') return 'JWT header is not EdDSA'
  const issuer = claims['iss']
  const key = typeof issuer === 'string' ? readDidKey(issuer) : undefined
  if (typeof issuer !== 'string' || key === undefined) return 'JWT issuer is not a did:key of Ed25519'
  return isSigned(`${head}.${body}`, signature, key) ? { issuer, claims } : 'JWT signature is wrong'
}

/** What is wrong with the times of a token at a moment, in milliseconds since 1970. It need not expire. */
export function mistakeInTimes({ iat, exp }: SignedToken['claims'], now: number): string | undefined {
  const seconds = now / 1000
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'JWT has no time of issue'
  if (iat > seconds + tolerance) return 'JWT Token is not yet valid'
  if (exp === undefined || exp === null) return undefined
  if (typeof exp !== 'number' || !Number.isFinite(exp)) return 'JWT expiry is no time'
  return exp < seconds - tolerance ? 'JWT Token is expired' : undefined
}

/** What is wrong with the relay that a token is made for; where no address is known, any is taken. */
export function mistakeInAudience(aud: unknown, audiences: readonly string[]): string | undefined {
  if (typeof aud !== 'string' || !URL.canParse(aud)) return 'JWT audience is no address'
  if (audiences.length === 0 || audiences.some((url) => normalise(url) === normalise(aud))) return undefined
  return 'JWT audience is another relay'
}

/** Clients write their relay's address as it was configured, with a slash at the end or without. */
function normalise(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

function readDidKey(did: string): Uint8Array | undefined {
  if (!did.startsWith('did:key:z')) return undefined
  try {
    const bytes = base58.decode(did.slice('did:key:z'.length))
    const isEd25519 = bytes.length === 34 && bytes[0] === multicodec[0] && bytes[1] === multicodec[1]
    return isEd25519 ? bytes.slice(2) : undefined
  } catch {
    return undefined
  }
}

function isSigned(text: string, signature: string, key: Uint8Array): boolean {
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(key) }
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    return verify(null, Buffer.from(text), publicKey, base64urlnopad.decode(signature))
  } catch {
    return false
  }
}

function readPart(part: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function invalid(reason: string): Verdict {
  return refuse('InvalidJwt', `JWT validation error: ${reason}`)
}

function refuse(tag: string, reason: string): Verdict {
  return { ok: false, tag, reason }
}
