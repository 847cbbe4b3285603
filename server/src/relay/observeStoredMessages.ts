import { Gauge, type Registry } from 'prom-client'
import { countColumnValues } from '../kit/database/arrayColumn.ts'
import type { Database } from '../kit/database/database.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import type { RelayMetrics } from './relayMetrics.ts'

/** Statements of the relay by which its metrics know them. */
const insertStatementName = 'relay: insert messages'
/** The sums take a scan of the counters, so that frequent scrapes share one. */
const refreshMs = 60_000

type Sums = { messages: number; bytes: number; stored: number }

const sumStatement = `
  select coalesce(sum(messages), 0)::float8 as messages, coalesce(sum(bytes), 0)::float8 as bytes,
    (select coalesce(sum(bytes), 0)::float8 from relay_stored_bytes where scope = 'total' and ends_at > $1) as stored
  from relay_usage where kind = 'topic'`

/**
 * Reports the messages that wait in the database. The sums are read at most once a minute, in the background of a scrape: a
 * busy database must not delay it.
 */
export function observeStoredMessages(
  registry: Registry,
  { database, clock }: { database: Pick<Database, 'run'>; clock: Clock },
): void {
  let sums: Sums = { messages: 0, bytes: 0, stored: 0 }
  let readAt = -Infinity
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const [row] = await database.run<Sums>('relay: sum waiting messages', sumStatement, [clock.now()])
    if (row !== undefined) sums = row
  }

  /** Waits for the first sums only. */
  async function refresh(): Promise<void> {
    if (clock.now() - readAt < refreshMs) return
    const isFirst = readAt === -Infinity
    // The old sums are kept while the database is unreachable; another metric reports that.
    reading ??= read()
      .then(
        () => void (readAt = clock.now()),
        () => undefined,
      )
      .finally(() => (reading = undefined))
    if (isFirst) await reading
  }

  function add(name: string, help: string, value: () => number): void {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          await refresh()
          this.set(value())
        },
      }),
    )
  }
  add('latchkey_relay_undelivered_messages', 'Stored messages that no client has acknowledged.', () => sums.messages)
  add('latchkey_relay_undelivered_bytes', 'Bytes of stored messages that no client has acknowledged.', () => sums.bytes)
  add('latchkey_relay_stored_bytes', 'Bytes that count for the limit of all stored messages.', () => sums.stored)
}

/** Counts the messages of each statement that stores some. */
export function countMessageGroups(database: Database, metrics: Pick<RelayMetrics, 'countGroup'>): Database {
  return {
    ...database,
    run(name, text, values) {
      const [topics] = values
      if (name === insertStatementName && Buffer.isBuffer(topics)) metrics.countGroup(countColumnValues(topics))
      return database.run(name, text, values)
    },
  }
}
