import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../kit/database/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../kit/database/embeddedPostgres.ts'
import { migrate } from '../kit/database/migrations.ts'
import { schemas } from '../schema/schemas.ts'

/** A PostgreSQL for tests. */
export type TestPostgres = { url: string; close(): Promise<void> }

/** A PostgreSQL that a test can kill. */
export type KillablePostgres = TestPostgres & {
  /** Kills it without warning, as a power failure does. */
  kill(): Promise<void>
  /** Restarts it on the same files. `url` then has the new address. */
  start(): Promise<void>
}

/**
 * Starts a separate PostgreSQL with files in a temporary folder.
 *
 * @param options `isDurable: false` does not wait for the disk when it commits. Processes may be killed nevertheless, because the
 *   system keeps what they wrote. `parent` is the folder for the temporary one.
 */
export async function startTestPostgres({ isDurable = true, parent = tmpdir() } = {}): Promise<KillablePostgres> {
  const folder = await mkdtemp(join(parent, 'latchkey-postgres-'))
  // PostgreSQL may run as another user, who needs access.
  await chmod(folder, 0o755)
  const { log } = Fastify({ logger: false })
  let running: EmbeddedPostgres | undefined
  let url = ''
  async function start(): Promise<void> {
    running = await startEmbeddedPostgres(folder, log)
    url = running.url
    if (!isDurable) await administer(url, ...withoutDisk)
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

/** Waits until the process id is free, because PostgreSQL treats a process id in use as a running server. */
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
 * Creates a database: on the PostgreSQL that the tests share (`LATCHKEY_TEST_DATABASE_URL`), or else on a new one.
 *
 * @param services whose tables it contains; empty by default. Copying migrated tables is faster than migrating.
 * @example const database = await createTestDatabase('auth')
 */
export async function createTestDatabase(...services: readonly (keyof typeof schemas)[]): Promise<TestPostgres> {
  const shared = process.env['LATCHKEY_TEST_DATABASE_URL']
  const own = shared === undefined ? await startTestPostgres() : undefined
  const adminUrl = shared ?? own?.url ?? ''
  const name = `test_${randomBytes(8).toString('hex')}`
  const admin = await open(adminUrl)
  const template = services.length === 0 ? 'template1' : await createTemplate(admin, adminUrl, services)
  await createDatabase(admin, name, template)
  await admin.close()
  return {
    url: urlOf(adminUrl, name),
    async close() {
      await administer(adminUrl, `drop database if exists ${name} with (force)`)
      await own?.close()
    },
  }
}

/** Returns the name of a database with the tables of these services, which all test files of a run share. */
async function createTemplate(
  admin: Database,
  adminUrl: string,
  services: readonly (keyof typeof schemas)[],
): Promise<string> {
  const name = `migrated_${services.join('_')}`
  const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(admin.kysely)
  if (rows.length > 0) return name
  const draft = `draft_${randomBytes(8).toString('hex')}`
  await createDatabase(admin, draft, 'template1')
  const database = await open(urlOf(adminUrl, draft))
  for (const service of services) await migrate(database.kysely, schemas[service], service)
  await database.close()
  // Another process may have finished the same template in the meantime.
  await sql
    .raw(`alter database ${draft} rename to ${name}`)
    .execute(admin.kysely)
    .catch(() => undefined)
  return name
}

/** The default strategy writes each page to the log, which takes ten times as long. */
async function createDatabase(admin: Database, name: string, template: string): Promise<void> {
  await executeWithoutTimeout(admin, [`create database ${name} template ${template} strategy = file_copy`])
}

/** Creating or dropping a database waits for a checkpoint, which exceeds the server's timeout on a busy machine. */
async function executeWithoutTimeout({ kysely }: Database, statements: readonly string[]): Promise<void> {
  await kysely.connection().execute(async (connection) => {
    for (const statement of ['set statement_timeout = 0', ...statements]) await sql.raw(statement).execute(connection)
  })
}

function urlOf(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

function open(databaseUrl: string): Promise<Database> {
  return openDatabase({ databaseUrl, dataDir: '' }, Fastify({ logger: false }).log)
}

const withoutDisk = [
  'alter system set fsync = off',
  'alter system set full_page_writes = off',
  'alter system set synchronous_commit = off',
  'select pg_reload_conf()',
]

async function administer(url: string, ...statements: string[]): Promise<void> {
  const database = await open(url)
  await executeWithoutTimeout(database, statements)
  await database.close()
}
