import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { openDatabase } from '../kit/database/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../kit/database/embeddedPostgres.ts'

/** A PostgreSQL for tests. */
export type TestPostgres = { url: string; close(): Promise<void> }

/** A PostgreSQL that a test can kill. */
export type MortalPostgres = TestPostgres & {
  /** Kills it without warning, as a power failure does. */
  kill(): Promise<void>
  /** Restarts it on its files, at another address: the new `url`. */
  start(): Promise<void>
}

/** Starts a separate PostgreSQL with files in a temporary folder. */
export async function startTestPostgres(): Promise<MortalPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-postgres-'))
  // PostgreSQL may run as another user, who needs access.
  await chmod(folder, 0o755)
  const { log } = Fastify({ logger: false })
  let running: EmbeddedPostgres | undefined
  let url = ''
  async function start(): Promise<void> {
    running = await startEmbeddedPostgres(folder, log)
    url = running.url
  }
  await start()
  return {
    get url() {
      return url
    },
    async kill() {
      running = undefined
      await killAndWait(Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10))
    },
    start,
    async close() {
      await running?.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the process id is free, because PostgreSQL takes a used id for a running server. */
async function killAndWait(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  try {
    for (;;) {
      process.kill(pid, 0)
      await sleep(20)
    }
  } catch {
    // The process has ended.
  }
}

/**
 * Creates an empty database: on the PostgreSQL that the tests share (`LATCHKEY_TEST_DATABASE_URL`), or else on a new
 * one.
 */
export async function createTestDatabase(): Promise<TestPostgres> {
  const shared = process.env['LATCHKEY_TEST_DATABASE_URL']
  const own = shared === undefined ? await startTestPostgres() : undefined
  const adminUrl = shared ?? own?.url ?? ''
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(adminUrl, `create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async close() {
      await administer(adminUrl, `drop database if exists ${name} with (force)`)
      await own?.close()
    },
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const { log } = Fastify({ logger: false })
  const database = await openDatabase({ databaseUrl: url, dataDir: '' }, log)
  await sql.raw(statement).execute(database.kysely)
  await database.close()
}
