import { createHash, createHmac, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWK } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createDpopProofs, type DpopProofs } from './dpopProofs.ts'

const now = Date.UTC(2026, 10, 22)
const request = { method: 'POST', url: 'https://wallet.example/auth/v1/shares' }
const refused = expect.objectContaining({ status: 401, field: 'proof' })

let place: TestPostgres
let database: Database
let proofs: DpopProofs

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  proofs = createDpopProofs({ database: database.kysely, clock: { now: () => now }, table: 'auth_proof' })
})

beforeEach(async () => {
  await sql`truncate auth_proof`.execute(database.kysely)
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const createClaims = () => ({ jti: randomUUID(), htm: request.method, htu: request.url, iat: now / 1_000 })
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A proof that is valid except for its signature algorithm. */
async function proveWith(alg: string): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = await exportJWK(publicKey)
  return new SignJWT(createClaims()).setProtectedHeader({ alg, typ: 'dpop+jwt', jwk }).sign(privateKey)
}

/** A proof with an HMAC, which the library cannot make with such a key. */
function proveWithHmac(jwk: JWK, secret: string | Buffer): string {
  const signed = `${base64url({ alg: 'HS256', typ: 'dpop+jwt', jwk })}.${base64url(createClaims())}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

describe('the algorithm of a proof', () => {
  test('is ES256 [A-16]', async () => {
    await expect(proofs.verify(await proveWith('ES256'), request)).resolves.toMatch(/^[\w-]{43}$/)
  })

  test.each(['ES384', 'ES512', 'PS256', 'RS256', 'EdDSA', 'Ed25519'])(
    'is not %s, although its signature is valid [A-16]',
    async (alg) => {
      await expect(proofs.verify(await proveWith(alg), request)).rejects.toEqual(refused)
      const { rows } = await sql`select id from auth_proof`.execute(database.kysely)
      expect(rows).toEqual([])
    },
  )

  test('is not HS256 with the public key as the secret [A-16]', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    for (const secret of [JSON.stringify(jwk), Buffer.from(jwk.x ?? '', 'base64url')]) {
      await expect(proofs.verify(proveWithHmac(jwk, secret), request)).rejects.toEqual(refused)
    }
  })

  test('is not HS256 with a secret in the header [A-16]', async () => {
    const secret = Buffer.alloc(32, 7)
    const jwk = { kty: 'oct', k: secret.toString('base64url') }
    await expect(proofs.verify(proveWithHmac(jwk, secret), request)).rejects.toEqual(refused)
  })

  test('is not "none" [A-16]', async () => {
    const [, payload] = new UnsecuredJWT(createClaims()).encode().split('.')
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const header = base64url({ alg: 'none', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
    await expect(proofs.verify(`${header}.${payload}.`, request)).rejects.toEqual(refused)
  })
})

describe('a proof', () => {
  type Changes = { readonly [claim: string]: unknown }

  /** Creates a key, and a function that signs proofs with it. */
  async function createKey() {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    return (changes: Changes = {}, header: object = {}): Promise<string> =>
      new SignJWT({ ...createClaims(), ...changes })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
        .sign(privateKey)
  }

  test('is accepted once, and a second one of the same key yields the same thumbprint', async () => {
    const prove = await createKey()
    const proof = await prove()
    const key = await proofs.verify(proof, request)
    await expect(proofs.verify(proof, request)).rejects.toEqual(refused)
    expect(await proofs.verify(await prove(), request)).toBe(key)
  })

  test('may have the id of a proof of another key, which therefore cannot use it up', async () => {
    const jti = randomUUID()
    for (const prove of [await createKey(), await createKey()]) {
      await expect(proofs.verify(await prove({ jti }), request)).resolves.toMatch(/^[\w-]{43}$/)
    }
  })

  test.each<[string, Changes]>([
    ['another method', { htm: 'GET' }],
    ['another address', { htu: `${request.url}/other` }],
    ['a token that the request does not have', { ath: 'x' }],
    ['no method', { htm: undefined }],
    ['no address', { htu: undefined }],
    ['no time', { iat: undefined }],
    ['a time of more than a minute ago', { iat: now / 1_000 - 61 }],
    ['a time in more than a minute', { iat: now / 1_000 + 61 }],
    ['no id', { jti: undefined }],
    ['an empty id', { jti: '' }],
    ['an id that is too long', { jti: 'x'.repeat(129) }],
  ])('with %s is refused', async (_, changes) => {
    const prove = await createKey()
    await expect(proofs.verify(await prove(changes), request)).rejects.toEqual(refused)
  })

  test.each<[string, Changes]>([
    ['a minute ago', { iat: now / 1_000 - 60 }],
    ['in a minute', { iat: now / 1_000 + 60 }],
    ['with the longest id', { jti: 'x'.repeat(128) }],
  ])('made %s is accepted', async (_, changes) => {
    const prove = await createKey()
    await expect(proofs.verify(await prove(changes), request)).resolves.toMatch(/^[\w-]{43}$/)
  })

  test('covers the access token of its request', async () => {
    const prove = await createKey()
    const withToken = { ...request, accessToken: 'token' }
    const ath = createHash('sha256').update('token').digest('base64url')
    await expect(proofs.verify(await prove({ ath }), withToken)).resolves.toMatch(/^[\w-]{43}$/)
    await expect(proofs.verify(await prove(), withToken)).rejects.toEqual(refused)
    await expect(proofs.verify(await prove({ ath }), { ...request, accessToken: 'other' })).rejects.toEqual(refused)
  })

  test.each([
    ['of another type', { typ: 'JWT' }],
    ['without a key', { jwk: undefined }],
    ['with another key than it is signed with', { jwk: 'other' }],
  ])('%s is refused', async (_, header) => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const prove = await createKey()
    const changed = 'jwk' in header && header.jwk === 'other' ? { jwk: await exportJWK(publicKey) } : header
    await expect(proofs.verify(await prove({}, changed), request)).rejects.toEqual(refused)
  })

  test('that is missing, too long or of another form is refused', async () => {
    const prove = await createKey()
    const long = await prove({ padding: 'x'.repeat(4_096) })
    for (const proof of [undefined, '', 'proof', long]) {
      await expect(proofs.verify(proof, request)).rejects.toEqual(refused)
    }
  })

  test('that was used already hides the result of the check of its key', async () => {
    const prove = await createKey()
    const proof = await prove()
    expect(await proofs.verifyWith(proof, request, async (key) => key.length)).toBe(43)
    await expect(proofs.verifyWith(proof, request, async () => 'secret')).rejects.toEqual(refused)
    const failing = proofs.verifyWith(proof, request, async () => Promise.reject(new Error('of the check')))
    await expect(failing).rejects.toEqual(refused)
    const first = proofs.verifyWith(await prove(), request, async () => Promise.reject(new Error('of the check')))
    await expect(first).rejects.toThrow('of the check')
  })

  test('is remembered until it is too old to be accepted', async () => {
    const prove = await createKey()
    const proof = await prove()
    await proofs.verify(proof, request)
    const sweepAt = (time: number): Promise<void> =>
      createDpopProofs({ database: database.kysely, clock: { now: () => time }, table: 'auth_proof' }).sweep()
    await sweepAt(now + 5 * 60_000 - 1)
    await expect(proofs.verify(proof, request)).rejects.toEqual(refused)
    await sweepAt(now + 5 * 60_000)
    const { rows } = await sql`select id from auth_proof`.execute(database.kysely)
    expect(rows).toEqual([])
  })
})
