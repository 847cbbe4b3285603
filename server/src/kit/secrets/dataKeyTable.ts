import { sql, type Kysely } from 'kysely'

/** A sealed data key. */
export type DataKeyRow = { owner: string; scope: string; secret: Buffer }

/** The table of one service's data keys. */
export type DataKeyTable = {
  find(owner: string, scope: string): Promise<DataKeyRow | undefined>
  /** Inserts a data key, unless a concurrent call was first. @returns the key that both use */
  insertOrFind(row: DataKeyRow, masterKeyId: string): Promise<DataKeyRow>
  hasOwner(owner: string): Promise<boolean>
  /** Deletes the keys of an owner: all of them, or that of one scope. */
  remove(owner: string, scope?: string): Promise<void>
  /** Lists keys under other master keys. */
  listOutdated(masterKeyId: string, limit: number): Promise<readonly DataKeyRow[]>
  countOutdated(masterKeyId: string): Promise<number>
  /** Replaces the sealed key of a row, unless the row has changed. */
  replaceSecret(row: DataKeyRow, secret: Buffer, masterKeyId: string): Promise<void>
}

/** Creates the access to a table of data keys. */
export function createDataKeyTable(database: Kysely<unknown>, name: 'auth_data_key' | 'share_data_key'): DataKeyTable {
  const table = sql.table(name)

  async function find(owner: string, scope: string): Promise<DataKeyRow | undefined> {
    const { rows } = await sql<DataKeyRow>`
      select owner, scope, secret from ${table} where owner = ${owner} and scope = ${scope}`.execute(database)
    return rows[0]
  }

  return {
    find,
    async insertOrFind({ owner, scope, secret }, masterKeyId) {
      await sql`
        insert into ${table} (owner, scope, key_id, secret) values (${owner}, ${scope}, ${masterKeyId}, ${secret})
        on conflict do nothing`.execute(database)
      const row = await find(owner, scope)
      if (row === undefined) throw new Error('The data key that was just written is missing.')
      return row
    },
    async hasOwner(owner) {
      const { rows } = await sql`select from ${table} where owner = ${owner} limit 1`.execute(database)
      return rows.length > 0
    },
    async remove(owner, scope) {
      const ofScope = scope === undefined ? sql`` : sql` and scope = ${scope}`
      await sql`delete from ${table} where owner = ${owner}${ofScope}`.execute(database)
    },
    async listOutdated(masterKeyId, limit) {
      const { rows } = await sql<DataKeyRow>`
        select owner, scope, secret from ${table} where key_id <> ${masterKeyId} limit ${limit}`.execute(database)
      return rows
    },
    async countOutdated(masterKeyId) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${table} where key_id <> ${masterKeyId}`.execute(database)
      return Number(rows[0]?.count ?? 0)
    },
    async replaceSecret({ owner, scope, secret: previous }, secret, masterKeyId) {
      await sql`
        update ${table} set secret = ${secret}, key_id = ${masterKeyId}
        where owner = ${owner} and scope = ${scope} and secret = ${previous}`.execute(database)
    },
  }
}
