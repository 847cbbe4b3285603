import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMail, type LocalMail } from '@latchkey/devnet'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { listRecordedMigrations, migrate, reverseMigrations, type Migrations } from '../kit/database/migrations.ts'
import { freePort } from '../kit/runtime/freePort.ts'
import { schemas } from '../schema/schemas.ts'
import { startServer, type RunningServer } from '../startServer.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { logInByCode } from '../testing/loginClient.ts'
import { connectRelayClient, createClientKey, type RelayClient } from '../testing/relayClient.ts'
import { runOperatorCommand } from './runOperatorCommand.ts'

const { log } = Fastify({ logger: false })
const topic = 'ab'.repeat(32)
/** The tables of the release before the push gateway, which a relay without it and without watches does not use. */
const earlierRelay = '006-relay-usage-mark'

let folder = ''
let mail: LocalMail
let databases: readonly TestPostgres[] = []
let environment: Record<string, string> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-upgrade-'))
  mail = await startMail()
  databases = await Promise.all([1, 2, 3].map(() => createTestDatabase()))
  const [own, auth, shares] = databases.map(({ url }) => url)
  environment = {
    PORT: String(await freePort()),
    SERVICES: 'relay,api,auth,shares',
    LIMITS: 'local',
    LOG_LEVEL: 'silent',
    DATA_DIR: folder,
    MAIL_URL: mail.url,
    DATABASE_URL: own ?? '',
    AUTH_DATABASE_URL: auth ?? '',
    SHARES_DATABASE_URL: shares ?? '',
  }
})
afterAll(async () => {
  await mail.close()
  await Promise.all(databases.map((database) => database.close()))
  await rm(folder, { recursive: true, force: true })
})

const start = (): Promise<RunningServer> => startServer(readConfig(environment))

function openRelayDatabase(): Promise<Database> {
  return openDatabase({ databaseUrl: databases[0]?.url, dataDir: '' }, log)
}

/** Publishes one message after another. `stop` resolves with those that the relay confirmed. */
function startPublishing(publisher: RelayClient): { stop(): Promise<readonly string[]> } {
  const confirmed: string[] = []
  let isStopped = false
  const publishing = (async () => {
    for (let count = 1; !isStopped; count += 1) {
      const message = `message ${count}`
      const { result } = await publisher.request('irn_publish', { topic, message, ttl: 3_600, tag: 1108 })
      expect(result).toBe(true)
      confirmed.push(message)
      await sleep(5)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await publishing
      return confirmed
    },
  }
}

/** The last version from which the newest migration of each service can be taken back. */
function previousVersion(): string {
  return Object.entries(schemas)
    .map(([service, migrations]: [string, Migrations]) => {
      const names = Object.keys(migrations).toSorted()
      const [before = '', last = ''] = names.slice(-2)
      return `${service}/${migrations[last]?.down === undefined || names.length < 2 ? last || before : before}`
    })
    .join(',')
}

test(
  'open connections and logins stay while the tables of a newer release are made, and after both releases were started again [S-06]',
  { tags: 'faults' },
  async () => {
    const running = await start()
    const { client, refreshToken } = await logInByCode(running.url, mail, 'ann@example.org')
    const key = createClientKey()
    const [subscriber, publisher] = [
      await connectRelayClient(running.relayUrl, { key }),
      await connectRelayClient(running.relayUrl),
    ]
    await subscriber.request('irn_subscribe', { topic })
    const database = await openRelayDatabase()
    await reverseMigrations(database.kysely, schemas.relay, { service: 'relay', target: earlierRelay })

    const publishing = startPublishing(publisher)
    await subscriber.until(() => subscriber.pushes.length > 5)
    // As the first process of the newer release does when it starts.
    await migrate(database.kysely, schemas.relay, 'relay')
    const migrated = subscriber.pushes.length
    await subscriber.until(() => subscriber.pushes.length > migrated + 5)
    const confirmed = await publishing.stop()
    expect(await listRecordedMigrations(database.kysely, 'relay')).toEqual(Object.keys(schemas.relay).toSorted())
    await database.close()
    await subscriber.until(() => subscriber.pushes.length >= confirmed.length)
    expect(subscriber.messages()).toEqual(confirmed)
    expect(await client.request('GET', '/auth/v1/user')).toMatchObject({ status: 200 })
    await subscriber.close()
    await publisher.request('irn_publish', { topic, message: 'not read yet', ttl: 3_600, tag: 1108 })
    await publisher.close()
    await running.close()

    await runOperatorCommand(['migrate', `--to=${previousVersion()}`, '--accept-loss'], environment)
    const again = await start()
    expect(await client.request('GET', '/auth/v1/user')).toMatchObject({ status: 200 })
    expect((await client.request('POST', '/auth/v1/tokens', { refreshToken })).status).toBe(200)
    const reconnected = await connectRelayClient(again.relayUrl, { key })
    const { result } = await reconnected.request('irn_fetchMessages', { topic })
    expect(JSON.stringify(result)).toContain('not read yet')
    await reconnected.close()
    await again.close()
  },
)
