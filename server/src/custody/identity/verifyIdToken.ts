import { timingSafeEqual } from 'node:crypto'
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../kit/runtime/clock.ts'
import { sha256 } from '../../kit/secrets/sha256.ts'

/** The expected values of an ID token. */
export type IdTokenChecks = {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  /** The access token of the same response, if it is available. */
  readonly accessToken?: string
  readonly keys: JWTVerifyGetKey
  readonly clock: Clock
}

/** The verified claims of an ID token. */
export type IdClaims = { readonly subject: string; readonly claims: JWTPayload }

const algorithms = ['RS256', 'ES256']
const toleranceSeconds = 60
/** A token of the present login cannot be older than the login itself. */
const maxAgeSeconds = 10 * 60
const maxTokenLength = 8_192
const maxSubjectLength = 255

/**
 * Verifies an ID token (OpenID Connect Core §3.1.3.7): issuer, audience, age, nonce, and the access token that it belongs to.
 *
 * @throws Error for every fault
 */
export async function verifyIdToken(token: string, checks: IdTokenChecks): Promise<IdClaims> {
  const { issuer, clientId, nonce, accessToken, keys, clock } = checks
  if (token.length > maxTokenLength) throw new Error('The ID token is too long.')
  const { payload } = await jwtVerify(token, keys, {
    algorithms,
    issuer,
    audience: clientId,
    clockTolerance: toleranceSeconds,
    currentDate: new Date(clock.now()),
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  })
  const { sub, aud, azp, iat = 0, at_hash: hash } = payload
  const age = clock.now() / 1_000 - iat
  if (age < -toleranceSeconds || age > maxAgeSeconds) throw new Error('The ID token is too old, or from the future.')
  const isForOthers = Array.isArray(aud) && aud.length > 1 && azp === undefined
  if (isForOthers || (azp !== undefined && azp !== clientId)) throw new Error('The ID token is for another client.')
  if (!isEqualText(payload['nonce'], nonce)) throw new Error('The ID token belongs to another login.')
  if (accessToken !== undefined && hash !== undefined && !isEqualText(hash, leftHalfHash(accessToken))) {
    throw new Error('The ID token belongs to another access token.')
  }
  if (sub === undefined || sub === '' || sub.length > maxSubjectLength) throw new Error('The ID token has no subject.')
  return { subject: sub, claims: payload }
}

/**
 * Computes the nonce of a login. It binds the provider's response to the key of one frame, because only that frame knows the
 * random bytes.
 *
 * @param key the thumbprint of the frame's key
 * @param random 32 bytes
 */
export function computeNonce(key: string, random: Uint8Array): Buffer {
  return sha256(Buffer.concat([Buffer.from(key), random]))
}

function leftHalfHash(accessToken: string): string {
  return sha256(accessToken).subarray(0, 16).toString('base64url')
}

function isEqualText(value: unknown, expected: string): boolean {
  if (typeof value !== 'string') return false
  const [one, other] = [value, expected].map((text) => sha256(text))
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
