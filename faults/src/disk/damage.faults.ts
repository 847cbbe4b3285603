import { chmod, mkdtemp, open, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  connectRelayClient,
  startTestPostgres,
  type KillablePostgres,
  type RelayClient,
} from '@latchkey/server/testing'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openCase, type FaultCase } from '../faultCase.ts'
import { startRelayProcess, type RelayProcess } from '../relayProcess.ts'

const count = 200
const pageBytes = 8_192
const textOf = (index: number): string => `message ${index} `.padEnd(500, 'x')

/** A relay with messages on one topic, and the folder of its database's files. */
type Stage = { postgres: KillablePostgres; relay: RelayProcess; topics: readonly string[]; cluster: string }

async function openStage(fault: FaultCase): Promise<Stage> {
  const parent = await mkdtemp(join(tmpdir(), 'latchkey-damage-'))
  fault.owns({ close: () => rm(parent, { recursive: true, force: true }) })
  // PostgreSQL may run as another user.
  await chmod(parent, 0o755)
  const postgres = fault.owns(await startTestPostgres({ parent }))
  const { url: databaseUrl } = await fault.proxy(() => postgres.url)
  const relay = fault.owns(await startRelayProcess({ databaseUrl }))
  const topics = fault.topics(2)
  const publisher = await connect(fault, relay)
  for (let index = 0; index < count; index += 1) {
    expect(await publish(publisher, topics[0] ?? '', textOf(index))).toMatchObject({ result: true })
  }
  const [folder = ''] = await readdir(parent)
  return { postgres, relay, topics, cluster: join(parent, folder, 'postgres/cluster') }
}

async function connect(fault: FaultCase, relay: RelayProcess): Promise<RelayClient> {
  const client = await connectRelayClient(relay.url)
  fault.owns({ close: () => client.socket.terminate() })
  return client
}

function publish(client: RelayClient, topic: string, message: string): ReturnType<RelayClient['request']> {
  return client.request('irn_publish', { topic, message, ttl: 3_600, tag: 0 })
}

/** Fetches all messages of a topic. @returns those before the first error, and the error */
async function fetchAll(client: RelayClient, topic: string): Promise<{ messages: readonly string[]; error?: object }> {
  const messages: string[] = []
  for (let hasMore = true; hasMore;) {
    const { result, error } = await client.request('irn_fetchMessages', { topic })
    if (error !== undefined) return { messages, error }
    const page = result as { messages: readonly { message: string }[]; hasMore: boolean }
    messages.push(...page.messages.map(({ message }) => message))
    hasMore = page.hasMore
  }
  return { messages }
}

async function query(url: string, ...statements: readonly string[]): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let last = ''
  for (const text of statements) {
    const { rows } = await client.query<Record<string, unknown>>(text)
    last = String(Object.values(rows[0] ?? {})[0] ?? '')
  }
  await client.end()
  return last
}

async function flipBit(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await file.read(byte, 0, 1, position)
  byte[0] = (byte[0] ?? 0) ^ 0x10
  await file.write(byte, 0, 1, position)
  await file.close()
}

test('the relay delivers nothing from a damaged page of its database, and serves the other topics [R-20]', async () => {
  const fault = await openCase('R-20 page')
  const { postgres, relay, topics, cluster } = await openStage(fault)
  const [damaged = '', intact = ''] = topics
  expect(await query(postgres.url, 'show data_checksums')).toBe('on')
  await relay.end('SIGKILL')
  const path = await query(postgres.url, 'checkpoint', `select pg_relation_filepath('relay_message')`)
  await postgres.kill()
  await flipBit(join(cluster, path), fault.random.between(pageBytes / 2, pageBytes - 1))
  await postgres.start()
  await relay.restart()

  const reader = await connect(fault, relay)
  const { messages, error } = await fetchAll(reader, damaged)
  expect(error).toMatchObject({ code: -32603 })
  expect(messages).toEqual(Array.from(messages, (_, index) => textOf(index)))
  const publisher = await connect(fault, relay)
  expect(await publish(publisher, intact, 'after the damage')).toMatchObject({ result: true })
  expect(await fetchAll(reader, intact)).toEqual({ messages: ['after the damage'] })
})

test.each(['changed', 'cut'])(
  'the relay delivers an unchanged beginning of its messages after the end of the log of writes was %s [R-20]',
  async (damage) => {
    const fault = await openCase(`R-20 log ${damage}`)
    const { postgres, relay, topics, cluster } = await openStage(fault)
    const [topic = ''] = topics
    await relay.end('SIGKILL')
    const place = `pg_walfile_name_offset(pg_current_wal_flush_lsn())`
    const segment = await query(postgres.url, `select file_name from ${place}`)
    const end = Number(await query(postgres.url, `select file_offset from ${place}`))
    await postgres.kill()
    const position = end - fault.random.between(1_000, 60_000)
    const path = join(cluster, 'pg_wal', segment)
    if (damage === 'cut') await truncate(path, position)
    else await flipBit(path, position)
    fault.log({ segment, end, position })
    const started = await postgres.start().then(
      () => true,
      () => false,
    )
    fault.log({ started })
    // It may refuse to start, too: then the operator restores a backup.
    if (!started) return
    await relay.restart()
    const reader = await connect(fault, relay)
    const { messages, error } = await fetchAll(reader, topic)
    fault.log({ recovered: messages.length })
    expect(error).toBeUndefined()
    expect(messages).toEqual(Array.from(messages, (_, index) => textOf(index)))
    const publisher = await connect(fault, relay)
    expect(await publish(publisher, topic, 'after the damage')).toMatchObject({ result: true })
    expect(await fetchAll(reader, topic)).toEqual({ messages: ['after the damage'] })
  },
)
