import { sql, type Kysely } from 'kysely'
import { createBatch } from '../../kit/runtime/batch.ts'

/** The rows of mails that were not sent. They count for no limit, so they are deleted. */
export type UnsentRows = {
  /** @throws Error of the driver, for example if the database is unreachable */
  delete(id: string): Promise<void>
}

/** A statement deletes at most this many rows. */
const groupSize = 1_000
/** More than a service can have waiting for mail. */
const queueSize = 100_000

/**
 * Creates the deletion of rows whose mail was not sent. When a mail system fails, all waiting mails fail at once. Their rows
 * share a few statements, because one statement each would use up the connections of the database.
 *
 * @param table a table with a column `id` of type `uuid`
 * @example const unsent = createUnsentRows(database, 'auth_code')
 */
export function createUnsentRows(database: Kysely<unknown>, table: 'auth_code' | 'share_link'): UnsentRows {
  const deletions = createBatch<string, true>(
    async (ids) => {
      await sql`delete from ${sql.table(table)} where id = any(${[...ids]}::uuid[])`.execute(database)
      return ids.map(() => true as const)
    },
    { group: groupSize, queue: queueSize },
  )
  return { delete: async (id) => void (await deletions.add(id)) }
}
