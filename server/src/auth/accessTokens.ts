import { randomUUID } from 'node:crypto'
import {
  createLocalJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
  type CryptoKey as JoseKey,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import { sql, type Kysely } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import type { Secrets } from '../kit/secrets.ts'
import type { Login } from './sessions.ts'

/** What an access token says. */
export type Access = Login & { readonly session: string; /** Milliseconds since the epoch. */ readonly begunAt: number }

/** Tokens that say who somebody is for ten minutes (RFC 9068), bound to his key (RFC 9449). */
export type AccessTokens = {
  sign(access: Access): Promise<string>
  /**
   * @param key the thumbprint that the request proved to have
   * @throws Problem 401 `token`
   */
  verify(token: string, key: string): Promise<Access>
  /** The public keys, for who checks tokens without asking us (RFC 7517). */
  publicKeys(): { keys: readonly JWK[] }
  /** The public keys for checking, whichever they are then. */
  readonly keySet: JWTVerifyGetKey
  /** Makes the next key when the last is ninety days old, and forgets those that nothing valid was signed with. */
  rotate(): Promise<void>
}

const lifetimeMs = 10 * 60_000
/** Signed for that long; then the key is only there to check what it signed. */
const signsMs = 90 * 86_400_000
/** Told for that long before it signs, so that whoever keeps public keys has it by then. */
const overlapMs = 86_400_000
const algorithm = 'ES256'

type SigningKey = { id: string; createdAt: number; privateKey: JoseKey; publicKey: JWK }

export type AccessTokensParts = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  /** Who issues, and whom the tokens are for: the address of the service. */
  issuer: string
}

/**
 * Opens the signing keys, making the first one, or the next when the last is ninety days old.
 *
 * @throws Error when a key of the database cannot be opened with the master keys that are here
 */
export async function openAccessTokens(parts: AccessTokensParts): Promise<AccessTokens> {
  const { clock, issuer } = parts
  let ring = await openRing(parts)
  const keySet: JWTVerifyGetKey = (...asked) => ring.known(...asked)

  return {
    async sign({ user, key, methods, session, begunAt }) {
      const now = clock.now()
      return new SignJWT({ cnf: { jkt: key }, amr: [...methods], sid: session, auth_time: seconds(begunAt) })
        .setProtectedHeader({ alg: algorithm, kid: ring.signing.id, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(user)
        .setJti(randomUUID())
        .setIssuedAt(seconds(now))
        .setExpirationTime(seconds(now + lifetimeMs))
        .sign(ring.signing.privateKey)
    },
    verify: (token, key) => verifyAccess(token, key, { known: keySet, issuer, clock }),
    publicKeys: () => ({ keys: ring.keys.map(({ publicKey }) => publicKey) }),
    keySet,
    async rotate() {
      ring = await openRing(parts)
    },
  }
}

type Ring = { signing: SigningKey; keys: readonly SigningKey[]; known: JWTVerifyGetKey }

async function openRing(parts: AccessTokensParts): Promise<Ring> {
  const now = parts.clock.now()
  const newest = (await readKeys(parts))[0]
  if (newest === undefined || newest.createdAt + signsMs <= now) await makeKey(parts)
  const keys = await readKeys(parts)
  const signing = keys.find(({ createdAt }) => createdAt + overlapMs <= now) ?? keys.at(-1)
  if (signing === undefined) throw new Error('The key that signs tokens was made and is not there.')
  return { signing, keys, known: createLocalJWKSet({ keys: keys.map(({ publicKey }) => publicKey) }) }
}

/** What a service has to know to check tokens without asking who made them. */
export type Verifying = { known: JWTVerifyGetKey; issuer: string; clock: Clock }

/**
 * Checks a token by public keys.
 *
 * @throws Problem 401 `token`; 503 `token` while the keys cannot be had
 */
export async function verifyAccess(token: string, key: string, { known, issuer, clock }: Verifying): Promise<Access> {
  try {
    const { payload } = await jwtVerify(token, known, {
      algorithms: [algorithm],
      typ: 'at+jwt',
      issuer,
      audience: issuer,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    const { sub, cnf, amr, sid, auth_time: at } = payload
    if (!isRecord(cnf) || cnf['jkt'] !== key || typeof sub !== 'string') throw refused()
    if (typeof sid !== 'string' || typeof at !== 'number' || !isTexts(amr)) throw refused()
    return { user: sub, key, methods: amr, session: sid, begunAt: at * 1_000 }
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    if (cause instanceof errors.JOSEError) throw refused(cause)
    // Nobody is told that his session is over because the keys could not be had.
    throw new Problem(503, 'token', 'Sessions cannot be checked now. Try again in a moment.', { cause })
  }
}

const place = (id: string) => ({ table: 'auth_signing_key', row: id, owner: 'service' })

async function readKeys({ database, clock, secrets }: AccessTokensParts): Promise<readonly SigningKey[]> {
  const { rows } = await sql<{ id: string; created_at: number; secret: Buffer }>`
    select id, created_at, secret from auth_signing_key
    where created_at > ${clock.now() - signsMs - 3 * overlapMs}
    order by created_at desc, id`.execute(database)
  return Promise.all(
    rows.map(async ({ id, created_at: createdAt, secret }) => {
      const jwk: unknown = JSON.parse((await secrets.open(place(id), secret)).toString())
      // We wrote it, and it opened: nobody else could have written another.
      const { d: _, ...open } = jwk as JWK
      return { id, createdAt, privateKey: await privateKeyOf(jwk as JWK), publicKey: publicKeyOf(id, open) }
    }),
  )
}

async function makeKey({ database, clock, secrets }: AccessTokensParts): Promise<void> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const id = randomUUID()
  const secret = await secrets.seal(place(id), Buffer.from(JSON.stringify(await exportJWK(privateKey))))
  await sql`
    insert into auth_signing_key (id, created_at, secret) values (${id}, ${clock.now()}, ${secret})`.execute(database)
}

async function privateKeyOf(jwk: JWK): Promise<JoseKey> {
  const key = await importJWK(jwk, algorithm)
  if (key instanceof Uint8Array) throw new Error('The key that signs tokens is of another kind.')
  return key
}

function publicKeyOf(id: string, { kty, crv, x, y }: JWK): JWK {
  return { kty, crv, x, y, kid: id, alg: algorithm, use: 'sig' }
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

function refused(cause?: unknown): Problem {
  return new Problem(401, 'token', 'This session is over. Log in again.', { cause })
}
