import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect, sql, type Logger } from 'kysely'
import pg from 'pg'
import { errorMessage } from '../runtime/errorMessage.ts'
import { describeStatement } from './describeStatement.ts'
import { startEmbeddedPostgres } from './embeddedPostgres.ts'
import { listenForChanges, type ChangeListener } from './listenForChanges.ts'

/** The server's PostgreSQL. */
export type Database = {
  kysely: Kysely<unknown>
  /**
   * Runs a statement that each connection prepares once, by its name. For the few that run thousands of times.
   *
   * @returns the rows, whose type the caller knows from the statement
   */
  run<row extends object>(name: string, text: string, values: readonly unknown[]): Promise<readonly row[]>
  /**
   * Opens another database of the same server, and creates it if it is missing.
   *
   * @throws Error with a sentence if it cannot be used
   */
  openSibling(name: string): Promise<Database>
  /**
   * Opens connections to the same database that are used for one purpose only, so that it can't exhaust the others.
   *
   * @param connections their number
   */
  openPool(connections: number): Promise<Database>
  /** Listens for notifications on a connection of its own, see `listenForChanges`. */
  listen(channel: string, onChange: () => void): ChangeListener
  /** The connections of this process, and the requests that wait for one. */
  connections(): { open: number; idle: number; waiting: number }
  /** True if the database responds now. */
  isReachable(): Promise<boolean>
  close(): Promise<void>
}

/** The location of the database: a URL, or an embedded database with its files under `dataDir`. */
export type DatabaseLocation = { databaseUrl: string | undefined; dataDir: string }

/** Observes statements by their names, after they have run. */
export type StatementObserver = (statement: { name: string; milliseconds: number; ok: boolean }) => void

const poolSize = 20
const waitForConnectionMs = 2_000
const statementTimeoutMs = 15_000

/**
 * Opens the database. Starts the embedded one if there is no URL.
 *
 * @param observe gets all statements, including those of siblings and pools
 *
 * @throws Error with a sentence if it cannot be used
 * @example const database = await openDatabase({ databaseUrl: undefined, dataDir: '.latchkey/data' }, log)
 */
export async function openDatabase(
  place: DatabaseLocation,
  log: FastifyBaseLogger,
  observe?: StatementObserver,
): Promise<Database> {
  if (place.databaseUrl !== undefined) return connectPool(place.databaseUrl, { log, observe })
  const embedded = await startEmbeddedPostgres(place.dataDir, log)
  try {
    const database = await connectPool(embedded.url, { log, observe })
    return {
      ...database,
      close: async () => {
        await database.close()
        await embedded.close()
      },
    }
  } catch (error) {
    await embedded.close()
    throw error
  }
}

type PoolLimits = Pick<pg.PoolConfig, 'max' | 'connectionTimeoutMillis' | 'idleTimeoutMillis'>

const sharedPool: PoolLimits = { max: poolSize, connectionTimeoutMillis: waitForConnectionMs }
/** Its users limit how many queries run, so a query waits only while the database is busy. */
const singlePurposePool: PoolLimits = { connectionTimeoutMillis: statementTimeoutMs, idleTimeoutMillis: 0 }

type PoolOptions = { log: FastifyBaseLogger; observe: StatementObserver | undefined }

async function connectPool(url: string, options: PoolOptions, limits = sharedPool): Promise<Database> {
  const { log, observe } = options
  const pool = new pg.Pool({
    ...limits,
    connectionString: url,
    statement_timeout: statementTimeoutMs,
    types: { getTypeParser },
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a database connection broke'))
  // The same is true for a connection that breaks during a query, although the query fails, too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool }),
    ...(observe !== undefined && { log: toQueryLog(observe) }),
  })
  try {
    await sql`select 1`.execute(kysely)
  } catch (error) {
    await kysely.destroy()
    throw new Error(`The database at ${withoutPassword(url)} cannot be used: ${errorMessage(error)}.`, { cause: error })
  }
  return {
    kysely,
    run: observe === undefined ? createRun(pool) : observeRun(createRun(pool), observe),
    openPool: (max) => connectPool(url, options, { ...singlePurposePool, max }),
    openSibling: async (name) => connectPool(await createSibling(kysely, url, name), options),
    listen: (channel, onChange) => listenForChanges(url, channel, onChange),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    isReachable: () =>
      sql`select 1`.execute(kysely).then(
        () => true,
        () => false,
      ),
    close: () => kysely.destroy(),
  }
}

function createRun(pool: pg.Pool): Database['run'] {
  return async <row extends object>(name: string, text: string, values: readonly unknown[]) =>
    (await pool.query<row>({ name, text, values: [...values] })).rows
}

function observeRun(run: Database['run'], observe: StatementObserver): Database['run'] {
  return async <row extends object>(name: string, text: string, values: readonly unknown[]) => {
    const startedAt = performance.now()
    let ok = false
    try {
      const rows = await run<row>(name, text, values)
      ok = true
      return rows
    } finally {
      observe({ name, milliseconds: performance.now() - startedAt, ok })
    }
  }
}

function toQueryLog(observe: StatementObserver): Logger {
  return ({ level, query, queryDurationMillis: milliseconds }) =>
    observe({ name: describeStatement(query.sql), milliseconds, ok: level === 'query' })
}

async function createSibling(kysely: Kysely<unknown>, url: string, name: string): Promise<string> {
  const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(kysely)
  if (rows.length === 0) {
    await sql`create database ${sql.id(name)}`.execute(kysely).catch((error: unknown) => {
      // Another process of this server may have created it in the meantime.
      if (error instanceof Error && 'code' in error && error.code === duplicateDatabase) return
      throw new Error(`The database ${name} is missing and cannot be created: ${errorMessage(error)}.`, {
        cause: error,
      })
    })
  }
  const sibling = new URL(url)
  sibling.pathname = `/${name}`
  return sibling.href
}

const duplicateDatabase = '42P04'

/** True for the error of a query that found no free connection in time. A retry may succeed. */
export function isDatabaseBusy(error: unknown): boolean {
  // The library has no error code for it.
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

const int8 = 20

/** All 64-bit integers of our tables, such as sequences and milliseconds, are safe integers. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  // The library's overloads depend on the format; only `text` is used.
  return oid === int8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown)
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
