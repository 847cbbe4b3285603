import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { startEmbeddedPostgres } from './embeddedPostgres.ts'

/** The server's PostgreSQL. */
export type Database = {
  kysely: Kysely<unknown>
  /**
   * Runs a statement that each connection prepares once, by its name: for the few that run thousands of times.
   *
   * @returns the rows, whose form the caller knows from the statement
   */
  run<row extends object>(name: string, text: string, values: readonly unknown[]): Promise<readonly row[]>
  /**
   * Another database of the same server, made when it is missing.
   *
   * @throws Error that says in one sentence why it cannot be used
   */
  beside(name: string): Promise<Database>
  /** Whether it answers now. */
  isReachable(): Promise<boolean>
  close(): Promise<void>
}

/** Where the database is: by URL, or embedded with its files under `dataDir`. */
export type DatabasePlace = { databaseUrl: string | undefined; dataDir: string }

const poolSize = 20
const waitForConnectionMs = 2_000
const statementTimeoutMs = 15_000

/**
 * Opens the database, starting the embedded one when no URL is given.
 *
 * @throws Error that says in one sentence why it cannot be used
 * @example const database = await openDatabase({ databaseUrl: undefined, dataDir: '.latchkey/data' }, log)
 */
export async function openDatabase(place: DatabasePlace, log: FastifyBaseLogger): Promise<Database> {
  if (place.databaseUrl !== undefined) return connect(place.databaseUrl, log)
  const embedded = await startEmbeddedPostgres(place.dataDir, log)
  try {
    const database = await connect(embedded.url, log)
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

async function connect(url: string, log: FastifyBaseLogger): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: waitForConnectionMs,
    statement_timeout: statementTimeoutMs,
    types: { getTypeParser },
  })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'a database connection broke'))
  // So would one that breaks while it is in use, though whoever uses it is told by a failed query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await sql`select 1`.execute(kysely)
  } catch (error) {
    await kysely.destroy()
    throw new Error(`The database at ${withoutPassword(url)} cannot be used: ${reasonOf(error)}.`, { cause: error })
  }
  return {
    kysely,
    run: async <row extends object>(name: string, text: string, values: readonly unknown[]) =>
      (await pool.query<row>({ name, text, values: [...values] })).rows,
    beside: async (name) => connect(await makeBeside(kysely, url, name), log),
    isReachable: () =>
      sql`select 1`.execute(kysely).then(
        () => true,
        () => false,
      ),
    close: () => kysely.destroy(),
  }
}

async function makeBeside(kysely: Kysely<unknown>, url: string, name: string): Promise<string> {
  const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(kysely)
  if (rows.length === 0) {
    await sql`create database ${sql.id(name)}`.execute(kysely).catch((error: unknown) => {
      // Another process of this server may have been faster.
      if (error instanceof Error && 'code' in error && error.code === duplicateDatabase) return
      throw new Error(`The database ${name} is missing and cannot be made: ${reasonOf(error)}.`, { cause: error })
    })
  }
  const beside = new URL(url)
  beside.pathname = `/${name}`
  return beside.href
}

const duplicateDatabase = '42P04'

/** Whether a failure says that all connections were taken for too long: another time it may go. */
export function isDatabaseBusy(error: unknown): boolean {
  // The library has no code for it.
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}

const int8 = 20

/** PostgreSQL's 64-bit integers hold our sequences and milliseconds here: all of them are safe integers. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  // The library's overloads tie the parser's type to the format; text is the only one asked for.
  return oid === int8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown)
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
