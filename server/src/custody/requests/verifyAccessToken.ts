import { errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { Problem } from '../../kit/http/problem.ts'
import type { Clock } from '../../kit/runtime/clock.ts'

/** A login of a user with the key of one frame. */
export type Login = {
  readonly user: string
  /** The JWK thumbprint of the frame's key (RFC 7638). */
  readonly key: string
  /** The authentication methods, like `email` or `passkey`. */
  readonly methods: readonly string[]
}

/** The claims of an access token. */
export type AccessClaims = Login & {
  readonly session: string
  /** Milliseconds since the epoch. */
  readonly begunAt: number
  /**
   * Time at which the owner last removed the device, in milliseconds since the epoch. The share store then refuses the
   * device until the contact approves it again. The claim can only refuse.
   */
  readonly removedAt?: number | undefined
}

/** The dependencies of the verification of access tokens. */
export type AccessTokenChecks = {
  keySet: JWTVerifyGetKey
  issuer: string
  /** The service that verifies the token. Each service has its own tokens. */
  audience: TokenAudience
  clock: Clock
}

/** The services that accept access tokens. */
export type TokenAudience = 'auth' | 'shares'

/** The signature algorithm of access tokens. */
export const accessTokenAlgorithm = 'ES256'

/**
 * Verifies an access token (RFC 9068) that is bound to a key (RFC 9449).
 *
 * @param key the thumbprint of the key that the request proved
 * @throws Problem 401 `token`; 503 `token` while the public keys cannot be loaded
 */
export async function verifyAccessToken(
  token: string,
  key: string,
  { keySet, issuer, audience, clock }: AccessTokenChecks,
): Promise<AccessClaims> {
  try {
    const { payload } = await jwtVerify(token, keySet, {
      algorithms: [accessTokenAlgorithm],
      typ: 'at+jwt',
      issuer,
      audience,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    const { sub, cnf, amr, sid, auth_time: authTime, removed_at: removedAt } = payload
    if (keyThumbprint(cnf) !== key || typeof sub !== 'string') throw sessionEnded()
    if (typeof sid !== 'string' || typeof authTime !== 'number' || !isTextArray(amr)) throw sessionEnded()
    if (removedAt !== undefined && typeof removedAt !== 'number') throw sessionEnded()
    return { user: sub, key, methods: amr, session: sid, begunAt: authTime * 1_000, removedAt }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    if (cause instanceof errors.JOSEError) throw sessionEnded(cause)
    // An outage of the key endpoint must not look like the end of a session.
    throw new Problem(503, 'token', 'Sessions can’t be checked right now. Try again in a moment.', { cause })
  }
}

/** The same problem for every reason. */
export function sessionEnded(cause?: unknown): Problem {
  return new Problem(401, 'token', 'This session has ended. Log in again.', { cause })
}

function keyThumbprint(confirmation: unknown): unknown {
  return typeof confirmation === 'object' && confirmation !== null ? Reflect.get(confirmation, 'jkt') : undefined
}

const isTextArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
