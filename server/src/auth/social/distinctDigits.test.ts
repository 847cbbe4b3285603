import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxOpenDigits } from '../../custody/drawDigits.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { createSecrets, toKeyEncryptionProvider } from '../../kit/secrets/secrets.ts'
import { authMigrations } from '../../schema/authMigrations.ts'
import { createTestDatabase, type TestPostgres } from '../../testing/database.ts'
import { createSocialLogins, type SocialLogins } from './socialLogins.ts'

const pepper = randomBytes(32)
const masterKeys = [{ id: 'auth', key: randomBytes(32) }] as const
const account = { provider: 'github', subject: '1', userName: 'Ann' } as const
const [victimNetwork, attackerNetwork] = ['198.18.1', '203.0.113']

let place: TestPostgres
let databases: readonly Database[]
let processes: readonly SocialLogins[]
let count = 0

beforeAll(async () => {
  place = await createTestDatabase()
  const open = () => openDatabase({ databaseUrl: place.url, dataDir: '' }, Fastify({ logger: false }).log)
  databases = [await open(), await open()]
  for (const { kysely } of databases.slice(0, 1)) await migrate(kysely, authMigrations, 'auth')
  processes = databases.map(({ kysely: database }) => {
    const keyEncryption = toKeyEncryptionProvider(masterKeys)
    const secrets = createSecrets({ database, table: 'auth_data_key', keyEncryption, onUnreadable: () => {} })
    return createSocialLogins({ database, clock: { now: () => Date.now() }, secrets, pepper })
  })
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await place.close()
})

const getProcess = (index: number): SocialLogins => processes[index % processes.length] ?? expect.fail('no process')

/** Begins a login in a network. */
function begin(client: string) {
  count += 1
  const request = { provider: 'github', browser: '', origin: 'https://app.example', nonce: 'AAAA' } as const
  return getProcess(count).begin({ ...request, key: `frame ${count}`, client })
}

/** Begins logins of the attacker until one has the digits of the victim's. */
async function findEqual(match: string) {
  for (;;) {
    const login = await begin(`${attackerNetwork}.1`)
    if (login.match === match) return login
    await sql`delete from auth_social where id = ${login.id}`.execute(
      databases[0]?.kysely ?? expect.fail('no database'),
    )
  }
}

describe('the confirmation digits of a login [A-21]', () => {
  test('are those of no other open login of the network, if two processes begin them at once', async () => {
    const logins = await Promise.all(Array.from({ length: maxOpenDigits }, (_, index) => begin(`192.0.2.${index}`)))
    expect(new Set(logins.map(({ match }) => match)).size).toBe(maxOpenDigits)
    // A neighbour with many logins locks out no other login.
    await expect(begin('192.0.2.250')).resolves.toMatchObject({ match: /^[1-9][0-9]$/ })
  })

  test('confirm no login of an attacker who got the digits of the victim’s own one', async () => {
    const victim = await begin(`${victimNetwork}.1`)
    const lure = await findEqual(victim.match)
    // The victim opens the attacker's link, is logged in at the provider, and enters the digits of their own screen.
    const { secret } = await getProcess(0).hold(lure.id, account)
    const entered = { id: lure.id, secret, match: victim.match, client: `${victimNetwork}.2` }
    expect(await getProcess(1).confirm(entered)).toEqual({ state: 'over' })
    await expect(getProcess(0).redeem(lure.id, `frame ${count}`)).rejects.toMatchObject({ status: 404 })
    await expect(getProcess(0).redeem(lure.id, `frame ${count}`, secret)).rejects.toMatchObject({ status: 404 })
  })

  test('confirm the login of their own screen, even while another network has the same digits', async () => {
    const victim = await begin(`${victimNetwork}.1`)
    const key = `frame ${count}`
    await findEqual(victim.match)
    const { secret } = await getProcess(0).hold(victim.id, account)
    const entered = { id: victim.id, secret, match: victim.match, client: `${victimNetwork}.2` }
    expect(await getProcess(1).confirm(entered)).toEqual({ state: 'done' })
    expect(await getProcess(1).redeem(victim.id, key)).toMatchObject({ account })
  })
})
