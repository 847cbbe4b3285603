import { sql, type Kysely } from 'kysely'

/** Creates the sums of stored bytes by origin, and by the time at which they end. Keys are keyed hashes. */
export async function createStoredBytes(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table relay_stored_bytes (
      scope text not null check (scope in ('address', 'network', 'project', 'total')),
      key bytea not null,
      ends_at bigint not null,
      bytes bigint not null,
      primary key (scope, key, ends_at)
    ) with (fillfactor = 50)`.execute(database)
  await sql`create index relay_stored_bytes_by_end on relay_stored_bytes (ends_at)`.execute(database)
}
