import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRefusal, mountTestEndpoints, type TestEndpoints } from '../../custody/testing/mountTestEndpoints.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createPolicyChange } from '../testing/createPolicyChange.ts'
import { createTestAccess, createTestProofs, testProof } from '../testing/createTestAccess.ts'
import { policyRequestEndpoints } from './policyRequestEndpoints.ts'
import { createPolicyRequests, type PolicyRequests } from './policyRequests.ts'
import { sharePolicyEndpoints } from './sharePolicyEndpoints.ts'

const start = Date.UTC(2026, 10, 30)
const lifetime = 10 * 60_000
const sealed = randomBytes(100).toString('base64url')
const devices = [{ key: 'laptop', isEstablished: true }]

let place: TestPostgres
let database: Database
let policyRequests: PolicyRequests
let endpoints: TestEndpoints
let proofs: ReturnType<typeof createTestProofs>
let written: unknown[]
let now = start

beforeAll(async () => {
  place = await createTestDatabase('shares')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  const clock = { now: () => now }
  policyRequests = createPolicyRequests({ database: database.kysely, clock })
  proofs = createTestProofs()
  const access = createTestAccess()
  endpoints = await mountTestEndpoints([
    ...policyRequestEndpoints({ access, policyRequests }),
    ...sharePolicyEndpoints({
      access,
      clock,
      storeProofs: proofs,
      policies: { list: async () => [], write: async (...given) => void written.push(given) },
      devices: { list: async (user) => (user === 'ann' ? devices : []) },
    }),
  ])
})
beforeEach(async () => {
  ;[now, written] = [start, []]
  proofs.required.length = 0
  await sql`delete from share_policy_request`.execute(database.kysely)
})
afterAll(async () => {
  await endpoints.close()
  await database.close()
  await place.close()
})

const post = (path: string, body: object = {}, claims?: object | null) =>
  endpoints.post(`/shares/v1/policy/${path}`, body, claims)
const phone = { key: 'phone' }
const add = (id: string = randomUUID(), claims?: object) => post('requests', { id, sealed }, claims)
const read = (id: string, claims?: object) => post('requests/read', { id }, claims)
const list = async (claims?: object) => (await post('requests/list', {}, claims)).body['requests']
const decide = (id: string, claims: object = phone) => post('requests/decide', { id, decision: '{}' }, claims)
const missing = createRefusal(404, 'id')

test.each([
  ['requests', { id: randomUUID(), sealed }],
  ['requests/read', { id: randomUUID() }],
  ['requests/list', {}],
  ['requests/decide', { id: randomUUID(), decision: '{}' }],
  ['read', {}],
  ['write', createPolicyChange(randomBytes(32), 1)],
])('a request to policy/%s needs an approved device', async (path, body) => {
  expect(await post(path, body, null)).toMatchObject(createRefusal(401, 'token'))
  expect(await post(path, body, { key: 'stranger' })).toMatchObject(createRefusal(403, 'device'))
})

describe('a request for a second device', () => {
  test('is listed for the devices of its user, until another device has decided', async () => {
    const id = randomUUID()
    expect(await add(id)).toEqual({ status: 200, body: { expiresAt: now + lifetime } })
    const listed = [{ id, key: 'laptop', sealed, expiresAt: now + lifetime }]
    expect([await list(), await list(phone), await list({ user: 'ben' })]).toEqual([listed, listed, []])
    expect(await read(id)).toEqual({ status: 200, body: {} })
    expect(await decide(id)).toEqual({ status: 200, body: {} })
    expect(await read(id)).toEqual({ status: 200, body: { decision: '{}' } })
    expect(await list()).toEqual([])
    expect(await decide(id)).toMatchObject(missing)
  })

  test('is decided by no device of another user, and not by its own device', async () => {
    const id = randomUUID()
    await add(id)
    expect(await decide(id, { user: 'ben', key: 'phone' })).toMatchObject(missing)
    expect(await decide(id, { key: 'laptop' })).toMatchObject(missing)
    expect(await decide(randomUUID())).toMatchObject(missing)
    expect(await read(id)).toEqual({ status: 200, body: {} })
  })

  test('is read by its own device only', async () => {
    const id = randomUUID()
    await add(id)
    expect(await read(id, phone)).toMatchObject(missing)
    expect(await read(id, { user: 'ben' })).toMatchObject(missing)
    expect(await read(randomUUID())).toMatchObject(missing)
  })

  test('expires after ten minutes', async () => {
    const id = randomUUID()
    await add(id)
    now += lifetime - 1
    expect(await list()).toHaveLength(1)
    await policyRequests.sweep()
    now += 1
    expect([await list(), (await read(id)).status, (await decide(id)).status]).toEqual([[], 404, 404])
    await policyRequests.sweep()
    const { rows } = await sql`select id from share_policy_request`.execute(database.kysely)
    expect(rows).toEqual([])
  })

  test('is one of five at most, even if many arrive at once', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => add()))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(200), ...Array(3).fill(429)])
    expect(await add()).toMatchObject(createRefusal(429, 'requests'))
    expect((await add(randomUUID(), { user: 'ben' })).status).toBe(200)
    now += lifetime
    expect((await add()).status).toBe(200)
  })

  test('has an id of its own, and the newest one is listed first', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    await add(first)
    expect(await add(first)).toMatchObject(createRefusal(409, 'id'))
    expect(await add(first, { user: 'ben' })).toMatchObject(createRefusal(409, 'id'))
    now += 1
    await add(second)
    expect(await list()).toMatchObject([{ id: second }, { id: first }])
  })

  test('of another form is refused', async () => {
    expect(await add('x')).toMatchObject(createRefusal(400, 'id'))
    expect(await add(randomUUID().toUpperCase())).toMatchObject(createRefusal(400, 'id'))
    expect(await post('requests', { id: randomUUID(), sealed: 'AAAAA' })).toMatchObject(createRefusal(400, 'sealed'))
    const large = { id: randomUUID(), sealed: 'A'.repeat(174_760) }
    expect((await post('requests', large)).status).toBe(200)
    expect(await post('requests', { ...large, sealed: 'A'.repeat(174_764) })).toMatchObject(
      createRefusal(400, 'sealed'),
    )
    const decision = { id: randomUUID(), decision: 'a'.repeat(1_025) }
    expect(await post('requests/decide', decision)).toMatchObject(createRefusal(400, 'decision'))
  })
})

describe('the signing policy at the share store', () => {
  const change = createPolicyChange(randomBytes(32), 1)

  test('accepts a first key with a proof of the wallet for this key [C-08]', async () => {
    expect(await post('write', change)).toMatchObject(createRefusal(401, 'wallet'))
    expect(written).toEqual([])
    expect((await post('write', { ...change, proof: testProof }, phone)).status).toBe(200)
    expect(written).toHaveLength(1)
    const verifier = Buffer.from(String(change['verifier']), 'base64url')
    expect(proofs.required.at(-1)).toEqual(['ann phone', { purpose: 'policy', verifier }])
  })

  test('accepts later records without a proof, because they need the same key', async () => {
    expect((await post('write', createPolicyChange(randomBytes(32), 2))).status).toBe(200)
    expect(proofs.required).toEqual([])
  })

  test('comes with the devices of the user', async () => {
    expect((await post('read')).body).toEqual({ now, records: [], devices, hasFreshPasskey: false })
  })
})
