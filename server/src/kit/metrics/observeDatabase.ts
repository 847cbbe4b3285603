import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import { pause } from '../runtime/pause.ts'

/** A database that does not respond must not delay a scrape, or all other metrics would be missing as well. */
const probeMs = 2_000
/** The sizes take a query over all tables, so that frequent scrapes share one. */
const refreshMs = 60_000

type TableSize = { name: string; bytes: number; rows: number }

const sizesStatement = `
  select relname as name, pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as rows
  from pg_stat_user_tables where schemaname = 'public' and relname not like 'latchkey\\_migration%'`

/** Reports the database: its reachability, the connections of this process, and the sizes of the tables. */
export function observeDatabase(
  registry: Registry,
  database: Pick<Database, 'isReachable' | 'connections' | 'run'>,
): void {
  registry.registerMetric(
    new Gauge({
      name: 'latchkey_database_up',
      help: '1 if the database responds.',
      registers: [],
      async collect() {
        this.set(Number(await Promise.race([database.isReachable(), pause(probeMs).then(() => false)])))
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'latchkey_database_connections',
      help: 'Connections of the shared pool by state, and requests that wait for one.',
      labelNames: ['state'],
      registers: [],
      collect() {
        const { open, idle, waiting } = database.connections()
        this.set({ state: 'busy' }, open - idle)
        this.set({ state: 'idle' }, idle)
        this.set({ state: 'waiting' }, waiting)
      },
    }),
  )
  observeTables(registry, createSizes(database))
}

function observeTables(registry: Registry, list: () => readonly TableSize[]): void {
  for (const [name, help, key] of [
    ['latchkey_database_table_bytes', 'Bytes of a table with its indexes.', 'bytes'],
    ['latchkey_database_table_rows', 'Rows of a table, as PostgreSQL estimates them.', 'rows'],
  ] as const) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: ['table'],
        registers: [],
        collect() {
          for (const size of list()) this.set({ table: size.name }, size[key])
        },
      }),
    )
  }
}

/** Creates a function that lists the sizes that are known now, and reads them again in the background. */
function createSizes(database: Pick<Database, 'run'>): () => readonly TableSize[] {
  let sizes: readonly TableSize[] = []
  let readAt = -Infinity
  return () => {
    if (performance.now() - readAt < refreshMs) return sizes
    readAt = performance.now()
    void database.run<TableSize>('metrics: sizes of tables', sizesStatement, []).then(
      (rows) => (sizes = rows),
      // Known by `latchkey_database_up`. Tried again at the next scrape.
      () => (readAt = -Infinity),
    )
    return sizes
  }
}
