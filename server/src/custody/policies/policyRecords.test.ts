import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { shareMigrations } from '../../schema/shareMigrations.ts'
import { createPolicyRequests } from '../../shares/policies/policyRequests.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createPolicyRecords, type PolicyChange } from './policyRecords.ts'
import { policyRecordBytes, type PolicyKind } from './verifyPolicyRecord.ts'

let place: TestPostgres
let database: Database
let now = 1_800_000_000_000
const clock = { now: () => now }
beforeAll(async () => {
  place = await createTestDatabase()
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  await migrate(database.kysely, authMigrations, 'auth')
  await migrate(database.kysely, shareMigrations, 'shares')
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const newKey = () => Uint8Array.from(randomBytes(32))
function createChange(key: Uint8Array, counter: number, previous: number, kind: PolicyKind = 'policy'): PolicyChange {
  const record = { kind, counter, verifier: ed25519.getPublicKey(key), sealed: Uint8Array.from(randomBytes(40)) }
  return { ...record, previous, signature: ed25519.sign(Uint8Array.from(policyRecordBytes(record)), key) }
}
const createRecords = () => createPolicyRecords({ database: database.kysely, clock, table: 'share_policy' })

describe('the records of a signing policy', () => {
  test('are returned as they were written, to their user only [L-04]', async () => {
    const [key, policies] = [newKey(), createRecords()]
    const written = createChange(key, 1, 0)
    await policies.write('ann', written)
    const [stored] = await policies.list('ann')
    expect(stored).toMatchObject({ kind: 'policy', counter: 1, storedAt: now })
    expect(stored?.sealed).toEqual(Buffer.from(written.sealed))
    expect(await policies.list('ben')).toEqual([])
  })

  test('are replaced by the next counter only, and by one of two concurrent changes [L-01]', async () => {
    const [key, policies] = [newKey(), createRecords()]
    await policies.write('cat', createChange(key, 3, 0))
    for (const [counter, previous] of [
      [3, 3],
      [2, 3],
      [4, 2],
      [4, 0],
    ] as const)
      await expect(policies.write('cat', createChange(key, counter, previous))).rejects.toMatchObject({ status: 409 })
    const ended = await Promise.allSettled(
      [4, 5, 6].map((counter) => policies.write('cat', createChange(key, counter, 3))),
    )
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('need the signature of the key that signed the first policy [L-04]', async () => {
    const [key, other, policies] = [newKey(), newKey(), createRecords()]
    await expect(policies.write('dan', createChange(key, 1, 0, 'spending'))).rejects.toMatchObject({ status: 409 })
    await policies.write('dan', createChange(key, 1, 0))
    await policies.write('dan', createChange(key, 1, 0, 'spending'))
    await expect(policies.write('dan', createChange(other, 2, 1))).rejects.toMatchObject({ status: 409 })
    const forged = { ...createChange(key, 2, 1), verifier: ed25519.getPublicKey(other) }
    await expect(policies.write('dan', forged)).rejects.toMatchObject({ status: 401 })
    await expect(policies.write('dan', { ...createChange(key, 2, 1), counter: 3 })).rejects.toMatchObject({
      status: 401,
    })
  })
})

describe('requests for a second device', () => {
  const requests = () => createPolicyRequests({ database: database.kysely, clock })
  const [requestingDevice, approvingDevice] = [
    { user: 'eve', key: 'phone' },
    { user: 'eve', key: 'desk' },
  ] as const

  test('are decided once, by another device of the same user [L-06]', async () => {
    const [id, open] = [crypto.randomUUID(), requests()]
    await open.add(requestingDevice, { id, sealed: randomBytes(8) })
    expect(await open.read(requestingDevice, id)).toEqual({})
    for (const owner of [requestingDevice, { user: 'fay', key: 'desk' }])
      await expect(open.decide(owner, id, '{}')).rejects.toMatchObject({ status: 404 })
    await open.decide(approvingDevice, id, '{"a":1}')
    await expect(open.decide(approvingDevice, id, '{}')).rejects.toMatchObject({ status: 404 })
    expect(await open.read(requestingDevice, id)).toEqual({ decision: '{"a":1}' })
    await expect(open.read(approvingDevice, id)).rejects.toMatchObject({ status: 404 })
  })

  test('expire after ten minutes and are deleted, and only five are open at once [L-06]', async () => {
    const owner = { user: 'gil', key: 'phone' }
    const open = requests()
    const added = await Promise.allSettled(
      Array.from({ length: 8 }, () => open.add(owner, { id: crypto.randomUUID(), sealed: randomBytes(8) })),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await open.list('gil')).toHaveLength(5)
    now += 10 * 60_000
    expect(await open.list('gil')).toEqual([])
    await open.sweep()
    const { rows } = await sql`select from share_policy_request where user_id = 'gil'`.execute(database.kysely)
    expect(rows).toEqual([])
  })
})

test.each([
  [
    'auth_policy',
    sql`select * from auth_policy where user_id = '00000000-0000-4000-8000-000000000000'`,
    'auth_policy_pkey',
  ],
  ['share_policy', sql`select * from share_policy where user_id = 'u'`, 'share_policy_pkey'],
  [
    'share_policy_request',
    sql`select * from share_policy_request where user_id = 'u' and decision is null`,
    'share_policy_request_by_user',
  ],
])('rows of a user in %s are found by an index [L-04]', async (_table, query, index) => {
  const plan = await database.kysely.transaction().execute(async (transaction) => {
    // Without rows, the planner would prefer to read the whole table.
    await sql`set local enable_seqscan = off`.execute(transaction)
    return sql<Record<'QUERY PLAN', string>>`explain ${query}`.execute(transaction)
  })
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
})
