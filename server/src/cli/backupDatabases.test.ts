import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMail, type LocalMail } from '@latchkey/devnet'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { readBackupFile, writeBackupFile, type BackupFrame } from '../kit/database/backup/backupFrames.ts'
import { openDatabase } from '../kit/database/database.ts'
import { freePort } from '../kit/runtime/freePort.ts'
import { startServer, type RunningServer } from '../startServer.ts'
import { createTestDatabase, type TestPostgres } from '../testing/database.ts'
import { logInByCode } from '../testing/loginClient.ts'
import { connectRelayClient } from '../testing/relayClient.ts'
import { runOperatorCommand } from './runOperatorCommand.ts'

const { log } = Fastify({ logger: false })
const email = 'ann@example.org'
const topic = randomBytes(32).toString('hex')

let folder = ''
let mail: LocalMail
let databases: readonly TestPostgres[] = []
let environment: Record<string, string> = {}
let file = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-backup-'))
  file = join(folder, 'latchkey.backup')
  mail = await startMail()
  databases = await Promise.all([1, 2, 3].map(() => createTestDatabase()))
  const [own, auth, shares] = databases
  environment = {
    PORT: String(await freePort()),
    SERVICES: 'relay,api,auth,shares',
    LIMITS: 'local',
    LOG_LEVEL: 'silent',
    DATA_DIR: folder,
    MAIL_URL: mail.url,
    DATABASE_URL: own?.url ?? '',
    AUTH_DATABASE_URL: auth?.url ?? '',
    SHARES_DATABASE_URL: shares?.url ?? '',
  }
})

afterAll(async () => {
  await mail.close()
  await Promise.all(databases.map((database) => database.close()))
  await rm(folder, { recursive: true, force: true })
})

function start(): Promise<RunningServer> {
  return startServer(readConfig(environment))
}

const runTestCommand = (...args: string[]): Promise<readonly string[]> => runOperatorCommand(args, environment)

async function publish(relayUrl: string, message: string): Promise<void> {
  const publisher = await connectRelayClient(relayUrl)
  const { result } = await publisher.request('irn_publish', { topic, message, ttl: 3_600, tag: 0 })
  expect(result).toBe(true)
  await publisher.close()
}

async function readMessages(relayUrl: string): Promise<readonly string[]> {
  const reader = await connectRelayClient(relayUrl)
  const { result } = await reader.request('irn_fetchMessages', { topic })
  await reader.close()
  return (result as { messages: { message: string }[] }).messages.map(({ message }) => message)
}

/** Deletes everything, as a lost disk does. */
async function wipe(): Promise<void> {
  for (const { url } of databases) {
    const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
    await sql`drop schema public cascade`.execute(database.kysely)
    await sql`create schema public`.execute(database.kysely)
    await database.close()
  }
}

test('a wiped database is restored with its messages, accounts and sessions, and continues', async () => {
  const before = await start()
  const { client, refreshToken } = await logInByCode(before.url, mail, email)
  await publish(before.relayUrl, 'quote " backslash \\ tab \t and \n line')
  // The server runs, and the backup is of one moment.
  const lines = await runTestCommand('backup', file)
  await publish(before.relayUrl, 'after the backup')
  await before.close()
  expect(lines).toContainEqual(expect.stringMatching(/^server\.relay_message: [\d.]+ KiB$/))
  expect(lines.at(-1)).toContain(join(folder, 'auth.keys'))
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  await wipe()
  const restored = await runTestCommand('restore', file)
  expect(restored).toContainEqual(expect.stringMatching(/^auth\.auth_user: [\d.]+ KiB$/))

  const after = await start()
  expect(await readMessages(after.relayUrl)).toEqual(['quote " backslash \\ tab \t and \n line'])
  expect(await client.request('GET', '/auth/v1/user')).toMatchObject({ status: 200, body: { email } })
  expect((await client.request('POST', '/auth/v1/tokens', { refreshToken })).status).toBe(200)
  // New rows get new numbers: the sequences were restored.
  await publish(after.relayUrl, 'new')
  expect(await readMessages(after.relayUrl)).toHaveLength(2)
  await after.close()
})

test(
  'a database with tables is only replaced on request, and never while a server uses it',
  { tags: 'faults' },
  async () => {
    await expect(runTestCommand('restore', file)).rejects.toThrow('The database has tables')
    const running = await start()
    await expect(runTestCommand('restore', file, '--replace')).rejects.toThrow('stop the server first')
    expect(await readMessages(running.relayUrl)).toHaveLength(2)
    await running.close()

    await runTestCommand('restore', file, '--replace')
    const after = await start()
    expect(await readMessages(after.relayUrl)).toHaveLength(1)
    await after.close()
  },
)

test.each(['cut', 'changed', 'text'])(
  'a damaged backup (%s) is refused before anything changes',
  { tags: 'faults' },
  async (damage) => {
    const damaged = join(folder, `${damage}.backup`)
    const bytes = await readFile(file)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
    await writeFile(damaged, damage === 'text' ? 'no backup' : damage === 'changed' ? bytes : await readFile(file))
    if (damage === 'cut') await truncate(damaged, middle)
    await expect(runTestCommand('restore', damaged, '--replace')).rejects.toThrow(`The backup ${damaged}`)
    const running = await start()
    expect(await readMessages(running.relayUrl)).toHaveLength(1)
    await running.close()
  },
)

/** A backup that can be read, but has rows that the tables of the accounts refuse. */
async function writeRefusedBackup(): Promise<string> {
  const refused = join(folder, 'refused.backup')
  async function* frames(): AsyncGenerator<BackupFrame> {
    let table = ''
    for await (const frame of readBackupFile(file)) {
      if (frame.kind === 'table') table = frame.name
      yield frame.kind === 'rows' && table === 'auth_user' ? { kind: 'rows', data: Buffer.from('no row\n') } : frame
    }
  }
  await writeBackupFile(refused, frames())
  return refused
}

test('a restore that fails leaves every database as it was, with tables and without', { tags: 'faults' }, async () => {
  const refused = await writeRefusedBackup()
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const restore = runTestCommand('restore', refused, '--replace')
    await expect(restore).rejects.toThrow('The rows of table auth_user could not be restored')
    const running = await start()
    expect(await readMessages(running.relayUrl)).toHaveLength(1)
    await running.close()
  }
  await wipe()
  await expect(runTestCommand('restore', refused)).rejects.toThrow('The rows of table auth_user could not be restored')
  await runTestCommand('restore', file)
  const after = await start()
  expect(await readMessages(after.relayUrl)).toHaveLength(1)
  await after.close()
})

test(
  'a restore that was killed is repeated, and keeps the old tables until it succeeds',
  { tags: 'faults' },
  async () => {
    const refused = await writeRefusedBackup()
    const [own] = databases
    const database = await openDatabase({ databaseUrl: own?.url, dataDir: '' }, log)
    // The state after a kill during the restore: the old tables are set aside, the new ones are incomplete.
    await sql`alter schema public rename to latchkey_before_restore`.execute(database.kysely)
    await sql`create schema public create table relay_message (id integer)`.execute(database.kysely)
    await database.close()
    await expect(start()).rejects.toThrow('A restore was interrupted')
    await expect(runTestCommand('restore', refused, '--replace')).rejects.toThrow(
      'The rows of table auth_user could not be restored',
    )
    const running = await start()
    expect(await readMessages(running.relayUrl)).toHaveLength(1)
    await running.close()
    await runTestCommand('restore', file, '--replace')
  },
)

test('a process of one service backs up and restores the database of this service only', async () => {
  const { DATABASE_URL: _own, SHARES_DATABASE_URL: _shares, ...ownVariables } = environment
  const ofAuth = { ...ownVariables, SERVICES: 'auth', SHARES_URL: 'http://127.0.0.1:1' }
  const lines: string[] = []
  const runInAuth = async (...args: string[]): Promise<void> =>
    void lines.push(...(await runOperatorCommand(args, ofAuth)))
  const ownFile = join(folder, 'auth.backup')
  await runInAuth('backup', ownFile)
  await runInAuth('restore', ownFile, '--replace')
  expect(lines.filter((line) => line.startsWith('auth.auth_user:'))).toHaveLength(2)
  expect(lines.filter((line) => /^(server|shares)\./.test(line))).toEqual([])
  // No PostgreSQL was started for a database that the process does not use.
  await expect(stat(join(folder, 'postgres'))).rejects.toThrow('ENOENT')
})

test('a missing file, and a failed backup, leave no files behind', async () => {
  await expect(runTestCommand('restore', join(folder, 'missing.backup'))).rejects.toThrow('cannot be read')
  const gone = { ...environment, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/a' }
  const broken = join(folder, 'broken.backup')
  const run = runOperatorCommand(['backup', broken], gone)
  await expect(run).rejects.toThrow('ECONNREFUSED')
  await expect(stat(broken)).rejects.toThrow('ENOENT')
  await expect(stat(`${broken}.part`)).rejects.toThrow('ENOENT')
})

test('a backup without data keys restores no readable secret [K-13]', { tags: 'faults' }, async () => {
  const longTerm = join(folder, 'long-term.backup')
  expect((await runTestCommand('backup', longTerm, '--without-data-keys')).join()).not.toContain('data_key')
  await wipe()
  await runTestCommand('restore', longTerm)
  const [, auth] = databases
  const database = await openDatabase({ databaseUrl: auth?.url, dataDir: '' }, log)
  const count = async (table: string): Promise<number> =>
    (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(database.kysely)).rows[0]
      ?.count ?? 0
  expect([await count('auth_user'), await count('auth_data_key')]).toEqual([1, 0])
  await database.close()
})
