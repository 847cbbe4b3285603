import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMail, type LocalMail } from '@latchkey/devnet'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { freePort } from '../kit/runtime/freePort.ts'
import { createKeyEncryption } from '../kit/secrets/keyEncryption.ts'
import { readMasterKeys } from '../kit/secrets/masterKeys.ts'
import { startServer, type RunningServer } from '../startServer.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { logInByCode } from '../testing/loginClient.ts'
import { runCommand } from './runCommand.ts'

const { log } = Fastify({ logger: false })
const email = 'ann@example.org'

let folder = ''
let mail: LocalMail
let databases: readonly TestPostgres[] = []
let environment: Record<string, string> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-rotation-'))
  mail = await startMail()
  databases = await Promise.all([1, 2].map(() => createTestDatabase()))
  const [own, auth] = databases
  environment = {
    PORT: String(await freePort()),
    SERVICES: 'api,auth',
    LIMITS: 'local',
    LOG_LEVEL: 'silent',
    DATA_DIR: folder,
    MAIL_URL: mail.url,
    DATABASE_URL: own?.url ?? '',
    AUTH_DATABASE_URL: auth?.url ?? '',
  }
})

afterAll(async () => {
  await mail.close()
  await Promise.all(databases.map((database) => database.close()))
  await rm(folder, { recursive: true, force: true })
})

const start = (): Promise<RunningServer> => startServer(readConfig(environment))

async function runTestCommand(...args: string[]): Promise<void> {
  await runCommand(args, { environment, log, print: () => {}, serve: async () => {} })
}

async function withDatabase<value>(index: number, work: (database: Database) => Promise<value>): Promise<value> {
  const database = await openDatabase({ databaseUrl: databases[index]?.url, dataDir: '' }, log)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** The ids of the master keys under which data keys are sealed. */
function sealingKeys(): Promise<readonly string[]> {
  return withDatabase(1, async ({ kysely }) => {
    const { rows } = await sql<{ id: string }>`select distinct key_id as id from auth_data_key`.execute(kysely)
    return rows.map(({ id }) => id)
  })
}

const keyIds = async (file: string): Promise<readonly string[]> =>
  (await readMasterKeys(join(folder, file))).map(({ id }) => id)

test('rotating the keys of the auth service keeps accounts readable and sessions valid at each step [K-07]', async () => {
  let server = await start()
  const { client } = await logInByCode(server.url, mail, email)
  const [old] = await keyIds('auth.keys')
  const expectSession = async (): Promise<void> =>
    expect(await client.request('GET', '/auth/v1/user')).toMatchObject({ status: 200, body: { email } })
  const restart = async (): Promise<void> => {
    await server.close()
    server = await start()
    await expectSession()
  }

  await runTestCommand('keys', 'prepare', 'auth')
  const [first, added] = await keyIds('auth.keys')
  expect(first).toBe(old)
  await restart()
  await runTestCommand('keys', 'rotate', 'auth')
  expect(await keyIds('auth.keys')).toEqual([added, old])
  expect(await sealingKeys()).toEqual([added])
  // A process that was not restarted since opens what the new key seals.
  await expectSession()
  await restart()
  await runTestCommand('keys', 'clean', 'auth')
  expect(await keyIds('auth.keys')).toEqual([added])
  expect((await stat(join(folder, 'auth.keys'))).mode & 0o777).toBe(0o600)
  await restart()
  await server.close()
})

test('a server that is stopped is rotated with one command', async () => {
  const [old] = await keyIds('auth.keys')
  await runTestCommand('keys', 'rotate', 'auth')
  const [first, second] = await keyIds('auth.keys')
  expect(second).toBe(old)
  expect(await sealingKeys()).toEqual([first])
  // The same command again must not bring the old key back.
  await expect(runTestCommand('keys', 'rotate', 'auth')).rejects.toThrow('keys clean')
  await expect(runTestCommand('keys', 'prepare', 'auth')).rejects.toThrow('keys clean')
  expect(await keyIds('auth.keys')).toEqual([first, second])
})

test('the keys of smart sessions are sealed again', async () => {
  const account = 'eip155:1:0xab'
  const place = { table: 'smart_session', row: randomUUID(), owner: account }
  const secret = randomBytes(32)
  const file = join(folder, 'api.keys')
  const sealed = createKeyEncryption(await readMasterKeys(file)).seal(place, secret)
  await withDatabase(0, ({ kysely }) =>
    sql`insert into smart_session
      (pci, account, project, public_key, sealed_key, expiry, signer, permissions, policies, created_at)
      values (${place.row}, ${account}, '', '', ${sealed}, 0, '{}', '[]', '[]', 0)`.execute(kysely),
  )
  await runTestCommand('keys', 'rotate', 'api')
  await runTestCommand('keys', 'clean', 'api')
  const stored = await withDatabase(0, ({ kysely }) =>
    sql<{ sealed_key: Buffer }>`select sealed_key from smart_session`.execute(kysely),
  )
  const only = createKeyEncryption(await readMasterKeys(file))
  expect(only.open(place, stored.rows[0]?.sealed_key ?? Buffer.alloc(0)).secret).toEqual(secret)
})

test('a key that is missing stops the rotation, and no key is removed', async () => {
  const file = join(folder, 'auth.keys')
  const before = await readFile(file, 'utf8')
  await writeFile(file, `other:${'0'.repeat(64)}\n`)
  await expect(runTestCommand('keys', 'clean', 'auth')).rejects.toThrow('is missing')
  expect(await readFile(file, 'utf8')).toBe(`other:${'0'.repeat(64)}\n`)
  await writeFile(file, before)
})

test.each([
  [{ AUTH_KEYS: `one:${'0'.repeat(64)}` }, 'The keys are in AUTH_KEYS'],
  [{ AUTH_KMS: '/etc/kms.mjs' }, 'key management service'],
  [{ SERVICES: 'api' }, 'SERVICES must have auth'],
])('keys that are elsewhere, and services that are not configured, are refused: %o', async (variables, sentence) => {
  const context = { environment: { ...environment, ...variables }, log, print: () => {}, serve: async () => {} }
  await expect(runCommand(['keys', 'rotate', 'auth'], context)).rejects.toThrow(sentence)
})
