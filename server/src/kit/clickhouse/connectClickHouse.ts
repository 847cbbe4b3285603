import { Readable } from 'node:stream'
import { ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client'
import { createCircuitBreaker, type CircuitBreaker } from '../limits/circuitBreaker.ts'
import type { Clock } from '../runtime/clock.ts'
import { errorMessage } from '../runtime/errorMessage.ts'
import { getField } from '../runtime/getField.ts'

/** Values of the placeholders of a statement, such as `{chain:UInt32}`. The server parses them, so they need no escaping. */
export type ClickHouseParams = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** A ClickHouse server. Every method throws `ClickHouseUnavailableError` if it does not respond. */
export type ClickHouse = {
  /** @returns the rows, whose type the caller knows from the statement; integers are safe */
  select<row extends object>(statement: string, params: ClickHouseParams): Promise<readonly row[]>
  /**
   * Inserts rows, in statements of at most 8 MiB. They are not atomic together.
   *
   * @param columns the names of the values of a row
   */
  insert(table: string, columns: readonly string[], rows: Iterable<readonly unknown[]>): Promise<void>
  /** Runs a statement without a result, such as a deletion, and waits until it is done. */
  execute(statement: string, params?: ClickHouseParams): Promise<void>
  /** True if the last request got a response. */
  isResponding(): boolean
  close(): Promise<void>
}

/** The server does not respond, or has failed too often in the last seconds. A retry may succeed. */
class ClickHouseUnavailableError extends Error {
  override readonly name: string = 'ClickHouseUnavailableError'
}

/** True for an error that a retry may resolve. */
export function isClickHouseUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === 'ClickHouseUnavailableError'
}

/** Milliseconds for a response. A deletion waits until it is done in all parts of a table. */
const timeouts = { select: 15_000, insert: 60_000, execute: 120_000 } as const
const maxConnections = 20
const bytesPerInsert = 8 * 1024 * 1024
const maxResultBytes = 64 * 1024 * 1024

const settings: ClickHouseSettings = {
  // All 64-bit integers of our tables are safe integers.
  output_format_json_quote_64bit_integers: 0,
  max_result_bytes: String(maxResultBytes),
  result_overflow_mode: 'throw',
  // A block that returns after a reorg is inserted again, although a replicated table knows its rows.
  insert_deduplicate: 0,
  // Transactions of an address may be spread over many months.
  max_partitions_per_insert_block: '1000',
}

export type ConnectClickHouseOptions = {
  /** `clickhouse://user:password@host:8123/database`, or `clickhouses://…` over TLS. */
  url: string
  clock: Clock
}

/**
 * Connects to a ClickHouse server over its HTTP interface.
 *
 * @throws Error with a sentence, without the password, if it cannot be used
 * @example const clickHouse = await connectClickHouse({ url: 'clickhouse://default@127.0.0.1:8123/latchkey', clock })
 */
export async function connectClickHouse({ url, clock }: ConnectClickHouseOptions): Promise<ClickHouse> {
  const client = createClient({
    ...toClientOptions(url),
    clickhouse_settings: settings,
    max_open_connections: maxConnections,
    request_timeout: timeouts.execute,
    // The library would write statements with addresses to the console.
    log: { level: ClickHouseLogLevel.OFF },
  })
  const clickHouse = createClickHouse(client, createCircuitBreaker(clock))
  try {
    await clickHouse.select('select 1 as one', {})
    return clickHouse
  } catch (cause) {
    await client.close()
    const { host, pathname } = new URL(url)
    throw new Error(`The ClickHouse at ${host}${pathname} cannot be used: ${errorMessage(cause)}`, { cause })
  }
}

/** Credentials are options of their own, so that no error message of a request contains them. */
function toClientOptions(text: string): { url: string; username: string; password: string; database: string } {
  const { protocol, host, username, password, pathname } = new URL(text)
  return {
    url: `${protocol === 'clickhouses:' ? 'https' : 'http'}://${host}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || 'default',
  }
}

function createClickHouse(client: ClickHouseClient, circuit: CircuitBreaker): ClickHouse {
  let hasResponded = true

  function record(responded: boolean): void {
    hasResponded = responded
    circuit.record(responded)
  }

  /** An error of the server, such as a wrong statement, shows that it responds. */
  async function request<result>(timeoutMs: number, send: (signal: AbortSignal) => Promise<result>): Promise<result> {
    if (!circuit.allowsRequests()) throw new ClickHouseUnavailableError('ClickHouse did not respond before.')
    try {
      const result = await send(AbortSignal.timeout(timeoutMs))
      record(true)
      return result
    } catch (error) {
      const isResponse = typeof getField(error, 'type') === 'string'
      record(isResponse)
      if (isResponse) throw error
      throw new ClickHouseUnavailableError(`ClickHouse does not respond: ${errorMessage(error)}`, { cause: error })
    }
  }

  return {
    select: (query, query_params) =>
      request(timeouts.select, async (abort_signal) => {
        const result = await client.query({
          query,
          query_params: { ...query_params },
          format: 'JSONEachRow',
          abort_signal,
        })
        return result.json()
      }),
    async insert(table, columns, rows) {
      for (const lines of toBatches(rows)) {
        await request(timeouts.insert, async (abort_signal) => {
          // The library's own `insert` would format the rows itself, and does not tell their size.
          const query = `insert into ${table} (${columns.join(', ')}) format JSONCompactEachRow`
          const values = Readable.from(lines, { objectMode: false })
          const { stream } = await client.exec({ query, values, abort_signal })
          await stream.forEach(() => undefined)
        })
      }
    },
    execute: (query, query_params = {}) =>
      request(timeouts.execute, async (abort_signal) => {
        await client.command({ query, query_params: { ...query_params }, abort_signal })
      }),
    isResponding: () => hasResponded,
    close: () => client.close(),
  }
}

/** Formats rows as lines, in batches of limited size. */
function* toBatches(rows: Iterable<readonly unknown[]>): Generator<readonly string[]> {
  let lines: string[] = []
  let bytes = 0
  for (const row of rows) {
    const line = `${JSON.stringify(row)}\n`
    lines.push(line)
    bytes += line.length
    if (bytes < bytesPerInsert) continue
    yield lines
    lines = []
    bytes = 0
  }
  if (lines.length > 0) yield lines
}
