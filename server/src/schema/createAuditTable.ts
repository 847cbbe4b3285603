import { sql, type Kysely } from 'kysely'

/** Creates the table of an audit log, with a trigger that rejects updates and deletions of its entries. */
export async function createAuditTable(database: Kysely<unknown>, name: 'auth_audit' | 'share_audit'): Promise<void> {
  const table = sql.table(name)
  await sql`
    create table ${table} (
      id bigint generated always as identity primary key,
      at bigint not null,
      event text not null,
      user_id text,
      key_thumbprint text,
      network text,
      about text
    )`.execute(database)
  await sql`create index ${sql.id(`${name}_by_user`)} on ${table} (user_id, at)`.execute(database)
  await sql`
    create function ${sql.id(`${name}_stays`)}() returns trigger language plpgsql as
    'begin raise exception ''entries of this log stay''; end'`.execute(database)
  await sql`
    create trigger ${sql.id(`${name}_stays`)} before update or delete or truncate on ${table}
    for each statement execute function ${sql.id(`${name}_stays`)}()`.execute(database)
}
