import type { FastifyBaseLogger } from 'fastify'
import { connectClickHouse } from '../../kit/clickhouse/connectClickHouse.ts'
import type { Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { indexerMigrations } from '../../schema/indexerMigrations.ts'
import { claimHistoryPlace } from './claimHistoryPlace.ts'
import { createClickHouseHistory } from './createClickHouseHistory.ts'
import { createPostgresHistory } from './createPostgresHistory.ts'
import type { HistoryStore } from './historyStore.ts'

/** The opened history store. */
export type OpenedHistory = {
  store: HistoryStore
  /** Its state for `GET /health`, without a request. `undefined` if it is part of the database. */
  state(): 'reachable' | 'unreachable' | undefined
  close(): Promise<void>
}

export type OpenHistoryOptions = {
  /** The URL of a ClickHouse; the histories are in the database if `undefined`. */
  url: string | undefined
  database: Database
  clock: Clock
  log: FastifyBaseLogger
}

/**
 * Opens the history store that the URL selects.
 *
 * @throws Error with a sentence, without the password, if it cannot be used, or if the index has its histories elsewhere
 * @example const history = await openHistory({ url: config.historyUrl, database, clock, log })
 */
export async function openHistory({ url, database, clock, log }: OpenHistoryOptions): Promise<OpenedHistory> {
  await migrate(database.kysely, indexerMigrations, 'indexer')
  await claimHistoryPlace(database, url === undefined ? 'PostgreSQL' : 'ClickHouse')
  if (url === undefined) {
    return { store: createPostgresHistory(database), state: () => undefined, close: async () => undefined }
  }
  const clickHouse = await connectClickHouse({ url, clock })
  try {
    return {
      store: await createClickHouseHistory({ clickHouse, database, log }),
      state: () => (clickHouse.isResponding() ? 'reachable' : 'unreachable'),
      close: clickHouse.close,
    }
  } catch (error) {
    await clickHouse.close()
    throw error
  }
}
