import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { ServerConfig } from '../../config.ts'
import { openDatabase, type Database } from '../../kit/database/database.ts'
import { findEmbeddedPostgres } from '../../kit/database/embeddedPostgres.ts'
import { migrate } from '../../kit/database/migrations.ts'
import { accessMigrations } from '../../schema/accessMigrations.ts'

/** The databases from which the processes of a configuration read projects and bans. */
export type AccessDatabases = {
  /** At least one. */
  readonly all: readonly Kysely<unknown>[]
  close(): Promise<void>
}

/**
 * Opens each database that a configuration names. A key service with a database of its own reads its projects and bans there,
 * because another operator may run it. Starts the embedded PostgreSQL if no server runs it.
 *
 * @throws Error with a sentence if one of them can't be used
 */
export async function openAccessDatabases(config: ServerConfig, log: FastifyBaseLogger): Promise<AccessDatabases> {
  const { databaseUrl, dataDir, login } = config
  const running = databaseUrl ?? (await findEmbeddedPostgres(dataDir, log))
  const urls = [login.auth.databaseUrl, login.shares.databaseUrl].filter((url) => url !== undefined && url !== running)
  const opened: Database[] = []
  const close = async (): Promise<void> => {
    for (const database of opened.splice(0)) await database.close()
  }
  try {
    for (const url of [running, ...new Set(urls)]) {
      const database = await openDatabase({ databaseUrl: url, dataDir }, log)
      opened.push(database)
      await migrate(database.kysely, accessMigrations, 'access')
    }
  } catch (error) {
    await close()
    throw error
  }
  return { all: opened.map(({ kysely }) => kysely), close }
}
