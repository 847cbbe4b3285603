import { createHash, randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type JWK,
  type JWTPayload,
} from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { openAccessTokens, type AccessTokens } from './accessTokens.ts'
import { verifyAccessToken } from '../../custody/requests/verifyAccessToken.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createDpopProofs, type DpopProofs } from '../../custody/requests/dpopProofs.ts'
import { createAuthSessions, type Sessions } from './sessions.ts'

let place: TestPostgres
let database: Database
let tokens: AccessTokens
let sessions: Sessions
let proofs: DpopProofs
let now = 0
const clock = { now: () => now }
const encryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
const issuer = 'https://wallet.example/auth'
const ann = { user: 'ann', key: 'frame-one', methods: ['email'] }
const request = { method: 'POST', url: 'https://wallet.example/auth/v1/shares' }

beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
})

beforeEach(async () => {
  now = Date.UTC(2026, 10, 22)
  await sql`truncate auth_session, auth_refresh, auth_proof, auth_signing_key`.execute(database.kysely)
  tokens = await open()
  sessions = createAuthSessions({ database: database.kysely, clock, tokens })
  proofs = createDpopProofs({ database: database.kysely, clock, table: 'auth_proof' })
})

afterAll(async () => {
  await database.close()
  await place.close()
})

const open = (): Promise<AccessTokens> => {
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption: encryption })
  return openAccessTokens({ database: database.kysely, clock, secrets, issuer })
}
const matchRefusal = (field: string) => expect.objectContaining({ status: 401, field })
const day = 86_400_000

describe('an access token', () => {
  test('identifies the user to services with the public keys for ten minutes', async () => {
    const { accessToken } = await sessions.begin(ann)
    await expect(tokens.verify(accessToken, ann.key)).resolves.toMatchObject({ ...ann, begunAt: now })
    now += 10 * 60_000 + 1_000
    await expect(tokens.verify(accessToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('is accepted after a restart, and its signing keys are sealed in the database', async () => {
    const { accessToken } = await sessions.begin(ann)
    await expect((await open()).verify(accessToken, ann.key)).resolves.toMatchObject(ann)
    const { rows } = await sql<{ row: string }>`select secret::text as row from auth_signing_key`.execute(
      database.kysely,
    )
    expect(Buffer.from(rows[0]?.row.slice(2) ?? '', 'hex').toString()).not.toContain('"kty"')
    expect(JSON.stringify(tokens.publicKeys())).not.toContain('"d"')
  })

  test('is rejected with the key of another frame [A-17]', async () => {
    const { accessToken } = await sessions.begin(ann)
    await expect(tokens.verify(accessToken, 'frame-two')).rejects.toEqual(matchRefusal('token'))
  })

  test('is for one service: that of the share store is rejected by the auth service [V-01]', async () => {
    const { accessToken, sharesToken } = await sessions.begin(ann)
    expect([accessToken, sharesToken].map((token) => decodeJwt(token).aud)).toEqual(['auth', 'shares'])
    await expect(tokens.verify(sharesToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('without a valid signature or with changed claims is rejected [A-10]', async () => {
    const { accessToken } = await sessions.begin(ann)
    const claims = decodeJwt(accessToken)
    const { privateKey } = await generateKeyPair('ES256')
    const [key] = tokens.publicKeys().keys
    const forged = [
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: key?.kid, typ: 'at+jwt' }).sign(privateKey),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: key?.kid, typ: 'at+jwt' })
        .sign(Buffer.from(JSON.stringify(key))),
      accessToken.replace(/.(?=.{20}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
      accessToken.slice(0, -1),
      '',
    ]
    for (const token of forged) await expect(tokens.verify(token, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('with a wrong issuer, audience, type, frame, age or subject is rejected, each on its own [A-10] [A-17]', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const keySet = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] })
    const seconds = now / 1_000
    const good = { cnf: { jkt: ann.key }, amr: [], sid: 'one', auth_time: seconds, iat: seconds, sub: 'ann' }
    const meant = { ...good, iss: issuer, aud: 'shares', exp: seconds + 600 }
    const check = async (claims: JWTPayload, typ = 'at+jwt') => {
      const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ }).sign(privateKey)
      return verifyAccessToken(token, ann.key, { keySet, issuer, audience: 'shares', clock })
    }
    await expect(check(meant)).resolves.toMatchObject({ user: 'ann' })
    const { sub: _, ...withoutSubject } = meant
    const wrong = [
      { ...meant, iss: 'https://evil.example' },
      { ...meant, aud: 'https://evil.example' },
      { ...meant, aud: 'auth' },
      { ...meant, cnf: { jkt: 'frame-two' } },
      { ...meant, exp: seconds },
      withoutSubject,
    ]
    for (const claims of wrong) await expect(check(claims)).rejects.toEqual(matchRefusal('token'))
    await expect(check(meant, 'JWT')).rejects.toEqual(matchRefusal('token'))
  })

  test('is signed with a new key after ninety days, while the old key still verifies', async () => {
    now += 90 * day - 1
    const { accessToken } = await sessions.begin(ann)
    now += 1
    const later = await open()
    expect(later.publicKeys().keys).toHaveLength(2)
    await expect(later.verify(accessToken, ann.key)).resolves.toMatchObject(ann)
    // Published for a day before it signs, so that caches of public keys contain it by then.
    const signer = async (tokensThen: AccessTokens) =>
      decodeProtectedHeader(await tokensThen.sign({ ...ann, session: 's', begunAt: now }, 'auth')).kid
    const before = await signer(later)
    expect(before).toBe(decodeProtectedHeader(accessToken).kid)
    now += day
    await later.rotate()
    expect(await signer(later)).not.toBe(before)
    const next = await later.sign({ ...ann, session: 's', begunAt: now }, 'auth')
    await expect(later.verify(next, ann.key)).resolves.toBeDefined()
    now += 2 * day
    await later.rotate()
    expect(later.publicKeys().keys).toHaveLength(1)
  })
})

describe('a session', () => {
  test('continues with a new refresh token each time', async () => {
    const first = await sessions.begin(ann)
    const second = await sessions.refresh(first.refreshToken, ann.key)
    expect(second.refreshToken).not.toBe(first.refreshToken)
    await expect(tokens.verify(second.accessToken, ann.key)).resolves.toMatchObject({ ...ann, begunAt: now })
  })

  test('ends when an exchanged refresh token is used again [A-15]', async () => {
    const first = await sessions.begin(ann)
    const second = await sessions.refresh(first.refreshToken, ann.key)
    now += 10_001
    await expect(sessions.refresh(first.refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
    await expect(sessions.refresh(second.refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('continues when the same frame repeats a request within ten seconds [A-15]', async () => {
    const first = await sessions.begin(ann)
    await sessions.refresh(first.refreshToken, ann.key)
    now += 10_000
    const again = await sessions.refresh(first.refreshToken, ann.key)
    await expect(sessions.refresh(again.refreshToken, ann.key)).resolves.toBeDefined()
  })

  test('does not continue by such a repetition once it has ended or its token has expired [A-15]', async () => {
    const first = await sessions.begin(ann)
    await sessions.end((await sessions.refresh(first.refreshToken, ann.key)).refreshToken)
    await expect(sessions.refresh(first.refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
    const second = await sessions.begin(ann)
    now += 14 * day - 1
    await sessions.refresh(second.refreshToken, ann.key)
    now += 1
    await expect(sessions.refresh(second.refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('ends when its refresh token is used with another key [A-17]', async () => {
    const { refreshToken } = await sessions.begin(ann)
    await expect(sessions.refresh(refreshToken, 'frame-two')).rejects.toEqual(matchRefusal('token'))
    await expect(sessions.refresh(refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('ends when another key repeats a recent exchange [A-17]', async () => {
    const first = await sessions.begin(ann)
    const second = await sessions.refresh(first.refreshToken, ann.key)
    await expect(sessions.refresh(first.refreshToken, 'frame-two')).rejects.toEqual(matchRefusal('token'))
    await expect(sessions.refresh(second.refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('expires after fourteen days without use, and after ninety days in any case', async () => {
    let { refreshToken } = await sessions.begin(ann)
    for (let time = 0; time < 6; time++) {
      now += 14 * day - 1
      refreshToken = (await sessions.refresh(refreshToken, ann.key)).refreshToken
    }
    now += 6 * day + 6
    await expect(sessions.refresh(refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
    const unused = await sessions.begin(ann)
    now += 14 * day
    await expect(sessions.refresh(unused.refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('ends at logout, and all other sessions of the user end on request', async () => {
    const [here, there] = [await sessions.begin(ann), await sessions.begin({ ...ann, key: 'frame-two' })]
    await sessions.endAll('ann', 'frame-one')
    await expect(sessions.refresh(there.refreshToken, 'frame-two')).rejects.toEqual(matchRefusal('token'))
    const next = await sessions.refresh(here.refreshToken, ann.key)
    await sessions.end(next.refreshToken)
    await expect(sessions.refresh(next.refreshToken, ann.key)).rejects.toEqual(matchRefusal('token'))
  })

  test('cannot be taken over with a copy of the database', async () => {
    const { refreshToken } = await sessions.begin(ann)
    const { rows } = await sql<{ token: Buffer }>`select token from auth_refresh`.execute(database.kysely)
    const stored = rows[0]?.token ?? Buffer.alloc(0)
    expect(stored.equals(createHash('sha256').update(refreshToken).digest())).toBe(true)
    await expect(sessions.refresh(stored.toString('base64url'), ann.key)).rejects.toEqual(matchRefusal('token'))
  })
})

describe('the sessions of a user', () => {
  const here = { ...ann, key: 'frame-one' }
  const there = { ...ann, key: 'frame-two' }
  const sessionOf = (token: string): string => String(decodeJwt(token)['sid'])

  test('are active until they end, and no other id is [K-08]', async () => {
    const { accessToken, refreshToken } = await sessions.begin(here)
    expect(await sessions.isActive(sessionOf(accessToken))).toBe(true)
    expect([await sessions.isActive(randomUUID()), await sessions.isActive('no id')]).toEqual([false, false])
    await sessions.end('unknown')
    expect(await sessions.isActive(sessionOf(accessToken))).toBe(true)
    await sessions.end(refreshToken)
    expect(await sessions.isActive(sessionOf(accessToken))).toBe(false)
  })

  test('are inactive at once after a refresh token was reused [A-15]', async () => {
    const { accessToken, refreshToken } = await sessions.begin(here)
    await expect(sessions.refresh(refreshToken, 'frame-two')).rejects.toEqual(matchRefusal('token'))
    expect(await sessions.isActive(sessionOf(accessToken))).toBe(false)
  })

  test('of one device end alone, and those of other users with the same key stay [A-25]', async () => {
    const [own, other] = [await sessions.begin(there), await sessions.begin(here)]
    const ben = await sessions.begin({ ...there, user: 'ben' })
    await sessions.endDevice('ann', 'frame-two')
    const active = [own, other, ben].map(({ accessToken }) => sessions.isActive(sessionOf(accessToken)))
    expect(await Promise.all(active)).toEqual([false, true, true])
  })

  test('end together, and those of other users stay', async () => {
    const begun = [
      await sessions.begin(here),
      await sessions.begin(there),
      await sessions.begin({ ...ann, user: 'ben' }),
    ]
    await sessions.endAll('ann')
    const active = begun.map(({ accessToken }) => sessions.isActive(sessionOf(accessToken)))
    expect(await Promise.all(active)).toEqual([false, false, true])
  })

  test('end in the transaction that they are part of only', async () => {
    const { accessToken } = await sessions.begin(here)
    const failing = database.kysely.transaction().execute(async (transaction) => {
      await sessions.endAll('ann', undefined, transaction)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await sessions.isActive(sessionOf(accessToken))).toBe(true)
  })

  test('are listed by device, the latest first, while they can be continued', async () => {
    await sessions.begin(here, 'Firefox')
    now += 1
    await sessions.begin(there, 'Safari')
    await sessions.begin({ ...ann, user: 'ben' }, 'Opera')
    now += 1
    const { refreshToken } = await sessions.begin(here, 'Chrome')
    const listed = [
      { key: 'frame-one', browser: 'Chrome', createdAt: now },
      { key: 'frame-two', browser: 'Safari', createdAt: now - 1 },
    ]
    expect(await sessions.listDevices('ann')).toEqual(listed)
    await sessions.endDevice('ann', 'frame-two')
    expect(await sessions.listDevices('ann')).toEqual(listed.slice(0, 1))
    now += 14 * day - 1
    await sessions.refresh(refreshToken, ann.key)
    now += 1
    expect(await sessions.listDevices('ann')).toEqual(listed.slice(0, 1))
    now += 14 * day
    expect(await sessions.listDevices('ann')).toEqual([])
  })

  test('name the removal of their device to the share store, also after a refresh [K-08]', async () => {
    await sql`
      insert into auth_removed_device (user_id, key_thumbprint, at) values ('ann', 'frame-one', ${now - 5})`.execute(
      database.kysely,
    )
    const begun = await sessions.begin(here)
    const next = await sessions.refresh(begun.refreshToken, ann.key)
    for (const { accessToken, sharesToken } of [begun, next]) {
      expect(decodeJwt(sharesToken)).toMatchObject({ removed_at: now - 5 })
      await expect(tokens.verify(accessToken, ann.key)).resolves.toMatchObject({ removedAt: now - 5 })
    }
    const other = await sessions.begin(there)
    expect(decodeJwt(other.sharesToken)).not.toHaveProperty('removed_at')
    const countRemovals = async () => (await sql`select from auth_removed_device`.execute(database.kysely)).rows.length
    now += 100 * day - 6
    await sessions.sweep()
    expect(await countRemovals()).toBe(1)
    now += 1
    await sessions.sweep()
    expect(await countRemovals()).toBe(0)
  })
})

describe('a DPoP proof', () => {
  type Changes = { header?: Record<string, unknown>; claims?: Record<string, unknown>; jwk?: (key: JWK) => JWK }

  async function prove({ header = {}, claims = {}, jwk = (key) => key }: Changes = {}) {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const open = await exportJWK(publicKey)
    const payload = { jti: randomUUID(), htm: request.method, htu: request.url, iat: now / 1_000, ...claims }
    const proof = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: jwk(open), ...header })
      .sign(privateKey)
    return { proof, key: await calculateJwkThumbprint(open, 'sha256'), secret: await exportJWK(privateKey) }
  }

  test('identifies the key of a request, once [A-16]', async () => {
    const { proof, key } = await prove()
    await expect(proofs.verify(proof, request)).resolves.toBe(key)
    await expect(proofs.verify(proof, request)).rejects.toEqual(matchRefusal('proof'))
  })

  test.each([-60, 60])('is accepted %s seconds off the clock [A-16]', async (seconds) => {
    const { proof } = await prove({ claims: { iat: now / 1_000 + seconds } })
    await expect(proofs.verify(proof, request)).resolves.toBeDefined()
  })

  test.each([
    ['an older time', { claims: { iat: Date.UTC(2026, 10, 22) / 1_000 - 61 } }],
    ['a later time', { claims: { iat: Date.UTC(2026, 10, 22) / 1_000 + 61 } }],
    ['no time', { claims: { iat: undefined } }],
    ['another method', { claims: { htm: 'GET' } }],
    ['another address', { claims: { htu: 'https://evil.example/' } }],
    ['the hash of a token that the request does not have', { claims: { ath: 'abc' } }],
    ['no id', { claims: { jti: undefined } }],
    ['an endless id', { claims: { jti: 'x'.repeat(129) } }],
    ['another type', { header: { typ: 'JWT' } }],
    ['no key', { header: { jwk: undefined } }],
    ['another key', { jwk: (key: JWK) => ({ ...key, x: key.y }) }],
  ] satisfies readonly (readonly [string, Changes])[])('with %s is rejected [A-16]', async (_, changes) => {
    const { proof } = await prove(changes)
    await expect(proofs.verify(proof, request)).rejects.toEqual(matchRefusal('proof'))
  })

  test('with a private key in its header is rejected [A-16]', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), d: (await exportJWK(privateKey)).d }
    const proof = await new SignJWT({ jti: 'a', htm: request.method, htu: request.url, iat: now / 1_000 })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey)
    await expect(proofs.verify(proof, request)).rejects.toEqual(matchRefusal('proof'))
  })

  test('is bound to the access token of its request [A-16]', async () => {
    const ath = createHash('sha256').update('token').digest('base64url')
    const withToken = { ...request, accessToken: 'token' }
    await expect(proofs.verify((await prove({ claims: { ath } })).proof, withToken)).resolves.toBeDefined()
    await expect(proofs.verify((await prove()).proof, withToken)).rejects.toEqual(matchRefusal('proof'))
    const other = { ...request, accessToken: 'other' }
    await expect(proofs.verify((await prove({ claims: { ath } })).proof, other)).rejects.toEqual(matchRefusal('proof'))
  })

  test.each([undefined, '', 'a.b.c', `${'a'.repeat(5_000)}`])(
    'of an invalid form is rejected: %s [A-16]',
    async (proof) => {
      await expect(proofs.verify(proof, request)).rejects.toEqual(matchRefusal('proof'))
    },
  )

  test('is forgotten when it is too old to be accepted', async () => {
    await proofs.verify((await prove()).proof, request)
    now += 5 * 60_000
    await proofs.sweep()
    const { rows } = await sql`select id from auth_proof`.execute(database.kysely)
    expect(rows).toEqual([])
  })
})

describe('the sweep of sessions', () => {
  const counts = async () => {
    const { rows } = await sql`
      select (select count(*) from auth_session) as sessions, (select count(*) from auth_refresh) as tokens`.execute(
      database.kysely,
    )
    return rows[0]
  }

  test('keeps live sessions, and exchanged tokens as long as their reuse ends the session [A-26] [A-15]', async () => {
    const { refreshToken } = await sessions.begin(ann)
    const next = await sessions.refresh(refreshToken, ann.key)
    now += 13 * 86_400_000
    await sessions.sweep()
    expect(await counts()).toEqual({ sessions: 1, tokens: 2 })
    await expect(sessions.refresh(refreshToken, ann.key)).rejects.toMatchObject({ status: 401 })
    await expect(sessions.refresh(next.refreshToken, ann.key)).rejects.toMatchObject({ status: 401 })
  })

  test('deletes expired tokens after two weeks, ended sessions after a day, and all sessions after 91 days [A-26]', async () => {
    await sessions.begin(ann)
    const { refreshToken } = await sessions.begin({ ...ann, key: 'frame-two' })
    await sessions.end(refreshToken)
    now += 86_400_000 - 1
    await sessions.sweep()
    expect(await counts()).toEqual({ sessions: 2, tokens: 2 })
    now += 1
    await sessions.sweep()
    expect(await counts()).toEqual({ sessions: 1, tokens: 1 })
    now += 13 * 86_400_000
    await sessions.sweep()
    expect(await counts()).toEqual({ sessions: 1, tokens: 0 })
    now += 77 * 86_400_000 - 1
    await sessions.sweep()
    expect(await counts()).toEqual({ sessions: 1, tokens: 0 })
    now += 1
    await sessions.sweep()
    expect(await counts()).toEqual({ sessions: 0, tokens: 0 })
  })
})
