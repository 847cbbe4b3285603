import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../kit/database/database.ts'
import { migrate } from '../../kit/database/migrations.ts'
import type { Access } from '../../kit/http/access.ts'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import { accessMigrations } from '../../schema/accessMigrations.ts'
import { readAccess, readAccessVersion } from './readAccess.ts'

export type WatchAccessOptions = {
  database: Database
  access: Access
  log: FastifyBaseLogger
  /** How often the version is read, in case that a notification was lost; 5,000 ms by default. */
  pollMs?: number
}

const defaultPollMs = 5_000
const channel = 'latchkey_access'

/**
 * Applies the stored projects and bans, and all further changes as they are made: when PostgreSQL notifies of one, or at the
 * next poll. While the database is unreachable, the last known rules stay.
 *
 * @returns a function that stops watching
 * @throws Error if the database cannot be migrated or read at the start
 */
export async function watchAccess(options: WatchAccessOptions): Promise<() => Promise<void>> {
  const { database, access, log, pollMs = defaultPollMs } = options
  await migrate(database.kysely, accessMigrations, 'access')
  let version: number | undefined
  let isStale = false
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    if (version !== undefined && (await readAccessVersion(database.kysely)) === version) return
    const stored = await readAccess(database.kysely)
    access.apply(stored)
    if (version !== undefined) {
      log.info({ projects: stored.projects.length, bans: stored.bans.length }, 'projects or bans have changed')
    }
    version = stored.version
  }

  async function refreshAll(): Promise<void> {
    while (isStale) {
      isStale = false
      await refresh().catch((error: unknown) => {
        log.warn({ reason: errorMessage(error) }, 'projects and bans cannot be read')
      })
    }
  }

  /** A change that arrives during a read may not be part of it, so it causes another read. */
  function requestRefresh(): void {
    isStale = true
    refreshing ??= refreshAll().finally(() => (refreshing = undefined))
  }

  await refresh()
  const listener = database.listen(channel, requestRefresh)
  const timer = setInterval(requestRefresh, pollMs)
  return async () => {
    clearInterval(timer)
    await listener.close()
    await refreshing
  }
}
