import { createHmac, randomUUID } from 'node:crypto'
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
