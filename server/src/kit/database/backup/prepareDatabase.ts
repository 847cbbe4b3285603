import type pg from 'pg'
import { assertUnused } from '../assertUnused.ts'
import { withClient } from '../withClient.ts'

/** A database whose earlier tables are set aside. One of the two functions ends the restore. */
export type PreparedDatabase = {
  /** Deletes the earlier tables. */
  keep(): Promise<void>
  /** Deletes the restored tables, and puts the earlier ones back. */
  undo(): Promise<void>
}

/** Holds the earlier tables during a restore, even after a restore that was killed. */
export const earlierSchema = 'latchkey_before_restore'
/** Holds the earlier tables while they are deleted, after the restore. */
const deletedSchema = 'latchkey_replaced'

/**
 * Empties a database before it is restored. Its tables are kept in another schema until the restore succeeded.
 *
 * @param options.replaces replaces its tables; else a database with tables is refused
 * @param options.isOwned true if no other server can use it, because this process holds the lock of its files
 * @throws Error with a sentence if other programs use it, or it has tables
 */
export async function prepareDatabase(
  url: string,
  { replaces, isOwned }: { replaces: boolean; isOwned: boolean },
): Promise<PreparedDatabase> {
  await withClient(url, async (client) => {
    if (!isOwned) await assertUnused(client)
    if (!replaces && (await hasTables(client)))
      throw new Error('The database has tables: restore into an empty one, or add --replace to delete them.')
    await client.query(`drop schema if exists ${deletedSchema} cascade`)
    // After a restore that was killed, the tables in `public` are incomplete.
    if (await hasSchema(client, earlierSchema)) await client.query('drop schema public cascade')
    else await client.query(`alter schema public rename to ${earlierSchema}`)
    await client.query('create schema public')
  })
  return {
    keep: () =>
      withClient(url, async (client) => {
        await client.query(`alter schema ${earlierSchema} rename to ${deletedSchema}`)
        await client.query(`drop schema ${deletedSchema} cascade`)
      }),
    undo: () =>
      withClient(url, async (client) => {
        await client.query(`begin; drop schema public cascade; alter schema ${earlierSchema} rename to public; commit`)
      }),
  }
}

async function hasTables(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_tables where schemaname in ('public', '${earlierSchema}') limit 1`,
  )
  return rows.length > 0
}

async function hasSchema(client: pg.Client, name: string): Promise<boolean> {
  return (await client.query('select from pg_namespace where nspname = $1', [name])).rows.length > 0
}
