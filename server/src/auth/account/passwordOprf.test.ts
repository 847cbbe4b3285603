import { randomBytes, randomUUID } from 'node:crypto'
import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { createKeyEncryption } from '../../kit/secrets/keyEncryption.ts'
import { createSecrets } from '../../kit/secrets/secrets.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createPasswordOprf, type PasswordOprf } from './passwordOprf.ts'

const [minute, day] = [60_000, 86_400_000]
const password = Buffer.from('correct horse battery staple')

let place: TestPostgres
let database: Database
let oprf: PasswordOprf
let [ann, ben] = ['', '']
let now = 0

beforeAll(async () => {
  place = await createTestDatabase('auth')
  database = await openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  const keyEncryption = createKeyEncryption([{ id: 'one', key: randomBytes(32) }])
  const secrets = createSecrets({ database: database.kysely, table: 'auth_data_key', keyEncryption })
  oprf = createPasswordOprf({ database: database.kysely, clock: { now: () => now }, secrets })
})
beforeEach(async () => {
  // The clock of the service never goes back.
  now = Math.max(Date.UTC(2026, 10, 22), now + 30 * day)
  ;[ann, ben] = [randomUUID(), randomUUID()]
  await sql`delete from auth_user`.execute(database.kysely)
  await sql`insert into auth_user (id, created_at) values (${ann}, 0), (${ben}, 0)`.execute(database.kysely)
})
afterAll(async () => {
  await database.close()
  await place.close()
})

const proven = (user = ann) => ({ user, isProven: true })
const unproven = (user = ann) => ({ user, isProven: false })
const blindly = () => suite.oprf.blind(password).blinded
const guess = (guesser = proven()) => oprf.evaluate(guesser, blindly())
async function keyOf(guesser: ReturnType<typeof proven>, version?: number): Promise<string> {
  const { blind, blinded } = suite.oprf.blind(password)
  const { evaluated } = await oprf.evaluate(guesser, blinded, version)
  return Buffer.from(suite.oprf.finalize(password, blind, evaluated)).toString('hex')
}
const matchLimit = (seconds: number) => expect.objectContaining({ status: 429, field: 'password', retryAfter: seconds })
const setFailures = (failures: number, isProven = true) =>
  sql`update auth_oprf set failures = ${failures} where user_id = ${ann} and proven = ${isProven}`.execute(
    database.kysely,
  )
const failuresOf = async (isProven = true) => {
  const { rows } = await sql<{ failures: number }>`
    select failures from auth_oprf where user_id = ${ann} and proven = ${isProven}`.execute(database.kysely)
  return rows[0]?.failures
}

describe('an evaluation of a password', () => {
  test('is the same for each device of a user, and another one for each user [K-09]', async () => {
    const key = await keyOf(proven())
    expect(await keyOf(unproven())).toBe(key)
    expect(await keyOf(proven(), 1)).toBe(key)
    expect(await keyOf(proven(ben))).not.toBe(key)
  })

  test('names the version of the secret, and there is no other one', async () => {
    expect(await oprf.evaluate(proven(), blindly())).toMatchObject({ version: 1 })
    const refusal = expect.objectContaining({ status: 400, field: 'version' })
    await expect(oprf.evaluate(proven(), blindly(), 2)).rejects.toEqual(refusal)
  })

  test('uses the latest secret unless an earlier one is requested', async () => {
    const key = await keyOf(proven())
    // Not readable under this version, so a use of it is an error.
    await sql`insert into auth_oprf_secret (version, secret) select 2, secret from auth_oprf_secret`.execute(
      database.kysely,
    )
    await expect(guess()).rejects.toThrow('belongs to another row')
    expect(await keyOf(proven(), 1)).toBe(key)
    await sql`delete from auth_oprf_secret where version = 2`.execute(database.kysely)
  })

  test('of something else than a blinded password is refused, and counted [K-09]', async () => {
    const refusal = expect.objectContaining({ status: 400, field: 'blinded' })
    await expect(oprf.evaluate(proven(), new Uint8Array(32))).rejects.toEqual(refusal)
    await expect(oprf.evaluate(proven(), randomBytes(31))).rejects.toEqual(refusal)
    expect(await failuresOf()).toBe(2)
  })

  test('begins with one secret if two first requests are concurrent', async () => {
    await sql`delete from auth_oprf_secret`.execute(database.kysely)
    expect(await keyOf(proven())).toBe(await keyOf(proven()))
    const [one, other] = await Promise.all([keyOf(proven()), keyOf(unproven())])
    expect(one).toBe(other)
  })
})

describe('guesses of a password', () => {
  test('are five in a minute at most, even concurrently [K-09]', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => guess()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    now += minute - 500
    await expect(guess()).rejects.toEqual(matchLimit(1))
    now += 500
    await expect(guess()).resolves.toHaveProperty('evaluated')
  })

  test('are twenty in a day at most [K-09]', async () => {
    for (let count = 0; count < 20; count += 1) {
      await guess()
      now += minute
    }
    await expect(guess()).rejects.toEqual(matchLimit((day - 20 * minute) / 1_000))
    now += day - 20 * minute
    await expect(guess()).resolves.toHaveProperty('evaluated')
  })

  test('of one kind of device use up nothing of the other kind, or of another user [K-09]', async () => {
    for (let count = 0; count < 5; count += 1) await guess(unproven())
    await expect(guess(unproven())).rejects.toEqual(matchLimit(60))
    await expect(guess()).resolves.toHaveProperty('evaluated')
    await expect(guess(unproven(ben))).resolves.toHaveProperty('evaluated')
    expect([await failuresOf(false), await failuresOf()]).toEqual([5, 1])
  })

  test('pause for a day after a hundred failures, and count from the beginning then [K-09]', async () => {
    await guess()
    await setFailures(99)
    await expect(guess()).resolves.toHaveProperty('evaluated')
    now += day
    await expect(guess()).rejects.toEqual(matchLimit(86_400))
    now += day - 1_000
    await expect(guess()).rejects.toEqual(matchLimit(1))
    await expect(guess(unproven())).resolves.toHaveProperty('evaluated')
    now += 1_000
    await expect(guess()).resolves.toHaveProperty('evaluated')
    expect(await failuresOf()).toBe(1)
  })

  test('that were right reset the failures of their kind of device [K-09]', async () => {
    for (const each of [proven(), unproven(), proven(ben)]) await guess(each)
    await setFailures(50)
    await oprf.resetFailures(unproven())
    expect([await failuresOf(), await failuresOf(false)]).toEqual([50, 0])
    await oprf.resetFailures(proven(ben))
    await oprf.resetFailures(proven())
    expect(await failuresOf()).toBe(0)
  })

  test('are forgotten after a day, and not before', async () => {
    await guess()
    const countTries = async () => (await sql`select from auth_oprf_try`.execute(database.kysely)).rows.length
    now += day - 1
    await oprf.sweep()
    expect(await countTries()).toBe(1)
    now += 1
    await oprf.sweep()
    expect(await countTries()).toBe(0)
  })
})
