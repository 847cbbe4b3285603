import { createHash, timingSafeEqual } from 'node:crypto'
import { jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { Clock } from '../../kit/clock.ts'

/** What an ID token is held against. */
export type IdTokenChecks = {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string
  /** The access token that came with it, where it is at hand. */
  readonly accessToken?: string
  readonly keys: JWTVerifyGetKey
  readonly clock: Clock
}

/** Who a provider says somebody is. */
export type IdClaims = { readonly subject: string; readonly claims: JWTPayload }

const algorithms = ['RS256', 'ES256']
const tolerance = 60
/** A token that was made for this login is not older. */
const oldest = 10 * 60
const longestToken = 8_192
const longestSubject = 255

/**
 * Checks an ID token (OpenID Connect Core §3.1.3.7): who made it and for whom, that it is fresh, and for this very login.
 *
 * @throws Error for every fault
 */
export async function verifyIdToken(token: string, checks: IdTokenChecks): Promise<IdClaims> {
  const { issuer, clientId, nonce, accessToken, keys, clock } = checks
  if (token.length > longestToken) throw new Error('The ID token is too long.')
  const { payload } = await jwtVerify(token, keys, {
    algorithms,
    issuer,
    audience: clientId,
    clockTolerance: tolerance,
    currentDate: new Date(clock.now()),
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
  })
  const { sub, aud, azp, iat = 0, at_hash: hash } = payload
  const age = clock.now() / 1_000 - iat
  if (age < -tolerance || age > oldest) throw new Error('The ID token is of another time.')
  const isForOthers = Array.isArray(aud) && aud.length > 1 && azp === undefined
  if (isForOthers || (azp !== undefined && azp !== clientId)) throw new Error('The ID token is for another client.')
  if (!isSame(payload['nonce'], nonce)) throw new Error('The ID token is of another login.')
  if (accessToken !== undefined && hash !== undefined && !isSame(hash, halfHash(accessToken))) {
    throw new Error('The ID token is of another access token.')
  }
  if (sub === undefined || sub === '' || sub.length > longestSubject) throw new Error('The ID token names nobody.')
  return { subject: sub, claims: payload }
}

/** The nonce of a login: it binds a provider's answer to the key of one frame, which alone knows the random bytes. */
export function nonceOf(key: string, random: Uint8Array): Buffer {
  return createHash('sha256').update(key).update(random).digest()
}

function halfHash(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
}

function isSame(value: unknown, expected: string): boolean {
  if (typeof value !== 'string') return false
  const [one, other] = [value, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
