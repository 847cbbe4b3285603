import Fastify from 'fastify'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { migrate, type Migrations } from '../kit/database/migrations.ts'
import { schemas } from '../schema/schemas.ts'
import {
  connectRelayClient,
  createClientKey,
  createTestDatabase,
  signToken,
  startTestServer,
  testProjectId,
  type ClientKey,
} from '../testing/index.ts'
import { startWebPushReceiver } from '../relay/push/testing/webPushReceiver.ts'
import { runCommand } from './runCommand.ts'

const { log } = Fastify({ logger: false })
const topic = 'ab'.repeat(32)

/** The tables of the release before the push gateway. */
const earlierVersion = 'access/001-access,relay/006-relay-usage-mark'
const { '007-relay-push': _push, '008-relay-watch-topics': _topics, ...earlierRelay } = schemas.relay as Migrations

async function runTestCommand(databaseUrl: string, ...args: string[]): Promise<readonly string[]> {
  const lines: string[] = []
  const environment = { DATABASE_URL: databaseUrl, SERVICES: 'relay' }
  await runCommand(args, { environment, log, print: (line) => void lines.push(line), serve: async () => {} })
  return lines
}

async function open(url: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
  onTestFinished(() => database.close())
  return database
}

/** Runs a server with a message, a watch's tables and a push registration in its database. */
async function fillDatabase(key: ClientKey): Promise<string> {
  const place = await createTestDatabase()
  onTestFinished(() => place.close())
  const receiver = await startWebPushReceiver()
  const push = { contact: 'mailto:push@example.org', hosts: 'any', fcm: undefined, apns: undefined } as const
  const server = await startTestServer({ databaseUrl: place.url, webhooks: 'any', push })
  const body = JSON.stringify({ client_id: key.clientId, type: 'web', token: receiver.subscribe().token })
  const headers = { authorization: `Bearer ${signToken(key)}` }
  await fetch(`${server.url}/${testProjectId}/clients`, { method: 'POST', headers, body })
  const dapp = await connectRelayClient(server.relayUrl)
  await dapp.request('irn_publish', { topic, message: 'sealed', ttl: 86_400, tag: 1108, prompt: true })
  await dapp.close()
  await server.close()
  await receiver.close()
  return place.url
}

async function fetchMessages(databaseUrl: string): Promise<unknown> {
  const server = await startTestServer({ databaseUrl })
  const wallet = await connectRelayClient(server.relayUrl)
  const { result } = await wallet.request('irn_fetchMessages', { topic })
  await wallet.close()
  await server.close()
  return (result as { messages: { message: string }[] }).messages.map(({ message }) => message)
}

test('the tables go back to the release before and forward again, and no message is lost', async () => {
  const url = await fillDatabase(createClientKey())
  await expect(runTestCommand(url, 'migrate', `--to=${earlierVersion}`)).rejects.toThrow(
    'This deletes the registrations of the push gateway',
  )
  expect(await runTestCommand(url, 'migrate', `--to=${earlierVersion}`, '--accept-loss')).toEqual([
    'Reversed relay/008-relay-watch-topics in the database "server".',
    'Reversed relay/007-relay-push in the database "server".',
    'Start the older release now.',
  ])
  // The older release finds its own tables: it has nothing to migrate.
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
  await migrate(database.kysely, earlierRelay, 'relay')
  const { rows } = await sql`select from pg_tables where tablename like 'relay_push%'`.execute(database.kysely)
  expect(rows).toHaveLength(0)
  await database.close()
  expect(await runTestCommand(url, 'migrate', `--to=${earlierVersion}`)).toEqual([
    'The tables have this version already.',
  ])
  expect(await fetchMessages(url)).toEqual(['sealed'])
})

test('an older release does not start on newer tables, and says what to do', async () => {
  const place = await createTestDatabase('relay')
  onTestFinished(() => place.close())
  const database = await open(place.url)
  await expect(migrate(database.kysely, earlierRelay, 'relay')).rejects.toThrow(
    'The tables of relay are those of a newer release (007-relay-push, 008-relay-watch-topics). Start that release, or reverse them',
  )
})

test('the restore changes no data while a server uses the database', { tags: 'faults' }, async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const changing = runTestCommand(server.databaseUrl, 'migrate', `--to=${earlierVersion}`, '--accept-loss')
  await expect(changing).rejects.toThrow('Other programs use the database: stop the server first.')
})

test.each([
  ['relay/005-relay-stored-bytes', "The migration 006-relay-usage-mark can't be reversed: restore the backup"],
  ['relay/999-unknown', 'This release has no migration 999-unknown.'],
  ['relay', 'relay is not a part of a version'],
  ['other/001-other', 'other/001-other is not a part of a version'],
])('the version %s is refused before anything changes', async (version, message) => {
  const place = await createTestDatabase('relay')
  onTestFinished(() => place.close())
  await expect(runTestCommand(place.url, 'migrate', `--to=${version}`, '--accept-loss')).rejects.toThrow(message)
  const database = await open(place.url)
  const { rows } = await sql`select from pg_tables where tablename like 'relay_push%'`.execute(database.kysely)
  expect(rows).toHaveLength(4)
})

test('the version of this release names the last migration of each service', async () => {
  const [line = ''] = await runTestCommand('', 'migrate', 'version')
  expect(line.split(',')).toHaveLength(Object.keys(schemas).length)
  expect(line).toContain('relay/008-relay-watch-topics')
})
