import { randomUUID } from 'node:crypto'
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey as JoseKey,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'
import { sql, type Kysely } from 'kysely'
import {
  accessTokenAlgorithm as algorithm,
  verifyAccessToken,
  type AccessClaims,
  type TokenAudience,
} from '../../custody/requests/verifyAccessToken.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Secrets } from '../../kit/secrets/secrets.ts'
import type { TableRow } from '../../schema/tableRow.ts'

/** Access tokens: JWTs (RFC 9068) that last ten minutes and are bound to the key of a frame (RFC 9449). */
export type AccessTokens = {
  /** @param audience the service that accepts the token; a token is for one service only */
  sign(claims: AccessClaims, audience: TokenAudience): Promise<string>
  /**
   * Verifies a token for the auth service.
   *
   * @param key the thumbprint of the key that the request proved
   * @throws Problem 401 `token`
   */
  verify(token: string, key: string): Promise<AccessClaims>
  /** The public keys, for other processes that verify tokens (RFC 7517). */
  publicKeys(): { keys: readonly JWK[] }
  /** The public keys for verification. It follows rotations. */
  readonly keySet: JWTVerifyGetKey
  /** Creates the next key once the latest is ninety days old, and drops keys that no valid token was signed with. */
  rotate(): Promise<void>
}

const lifetimeMs = 10 * 60_000
/** Time for which a key signs. After that it only verifies tokens that it has signed. */
const signingPeriodMs = 90 * 86_400_000
/** Time for which a new key is published before it signs, so that caches of public keys contain it. */
const overlapMs = 86_400_000

type SigningKey = { id: string; createdAt: number; privateKey: JoseKey; publicKey: JWK }
type KeyRing = { signing: SigningKey; keys: readonly SigningKey[]; keySet: JWTVerifyGetKey }

export type AccessTokensOptions = {
  database: Kysely<unknown>
  clock: Clock
  secrets: Secrets
  /** The issuer of the tokens. */
  issuer: string
}

/**
 * Opens the signing keys. Creates the first key, or the next one if the latest is ninety days old.
 *
 * @throws Error if a stored key cannot be opened with the current master keys
 */
export async function openAccessTokens(options: AccessTokensOptions): Promise<AccessTokens> {
  const { clock, issuer } = options
  let ring = await openKeyRing(options)
  const keySet: JWTVerifyGetKey = (...token) => ring.keySet(...token)

  return {
    async sign({ user, key, methods, session, begunAt, removedAt }, audience) {
      const now = clock.now()
      return new SignJWT({
        cnf: { jkt: key },
        amr: [...methods],
        sid: session,
        auth_time: toSeconds(begunAt),
        ...(removedAt !== undefined && { removed_at: removedAt }),
      })
        .setProtectedHeader({ alg: algorithm, kid: ring.signing.id, typ: 'at+jwt' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(user)
        .setJti(randomUUID())
        .setIssuedAt(toSeconds(now))
        .setExpirationTime(toSeconds(now + lifetimeMs))
        .sign(ring.signing.privateKey)
    },
    verify: (token, key) => verifyAccessToken(token, key, { keySet, issuer, audience: 'auth', clock }),
    publicKeys: () => ({ keys: ring.keys.map(({ publicKey }) => publicKey) }),
    keySet,
    async rotate() {
      ring = await openKeyRing(options)
    },
  }
}

async function openKeyRing(options: AccessTokensOptions): Promise<KeyRing> {
  const now = options.clock.now()
  const latest = (await loadSigningKeys(options))[0]
  if (latest === undefined || latest.createdAt + signingPeriodMs <= now) await createSigningKey(options)
  const keys = await loadSigningKeys(options)
  const signing = keys.find(({ createdAt }) => createdAt + overlapMs <= now) ?? keys.at(-1)
  if (signing === undefined) throw new Error('The signing key was created but cannot be loaded.')
  return { signing, keys, keySet: createLocalJWKSet({ keys: keys.map(({ publicKey }) => publicKey) }) }
}

const signingKeyLocation = (id: string) => ({ table: 'auth_signing_key', row: id, owner: 'service' })

async function loadSigningKeys({ database, clock, secrets }: AccessTokensOptions): Promise<readonly SigningKey[]> {
  const { rows } = await sql<TableRow<'auth_signing_key'>>`
    select id, created_at, secret from auth_signing_key
    where created_at > ${clock.now() - signingPeriodMs - 3 * overlapMs}
    order by created_at desc, id`.execute(database)
  return Promise.all(
    rows.map(async ({ id, created_at: createdAt, secret }) => {
      const jwk: unknown = JSON.parse((await secrets.open(signingKeyLocation(id), secret)).toString())
      // This service wrote the row: the secret is authenticated and has been opened.
      const { d: _, ...publicPart } = jwk as JWK
      return { id, createdAt, privateKey: await importPrivateKey(jwk as JWK), publicKey: toPublicKey(id, publicPart) }
    }),
  )
}

async function createSigningKey({ database, clock, secrets }: AccessTokensOptions): Promise<void> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const id = randomUUID()
  const jwk = Buffer.from(JSON.stringify(await exportJWK(privateKey)))
  const secret = await secrets.seal(signingKeyLocation(id), jwk)
  await sql`
    insert into auth_signing_key (id, created_at, secret) values (${id}, ${clock.now()}, ${secret})`.execute(database)
}

async function importPrivateKey(jwk: JWK): Promise<JoseKey> {
  const key = await importJWK(jwk, algorithm)
  if (key instanceof Uint8Array) throw new Error('The signing key is not an asymmetric key.')
  return key
}

function toPublicKey(id: string, { kty, crv, x, y }: JWK): JWK {
  return { kty, crv, x, y, kid: id, alg: algorithm, use: 'sig' }
}

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000)
