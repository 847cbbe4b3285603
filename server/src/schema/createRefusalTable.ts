import { sql, type Kysely } from 'kysely'

/**
 * Creates the table that counts refused attempts: one row for each event, subject and hour. The audit log refuses deletions, so
 * attempts that anyone may repeat must not be in it.
 */
export async function createRefusalTable(
  database: Kysely<unknown>,
  table: 'auth_refusal' | 'share_refusal',
): Promise<void> {
  await sql`
    create table ${sql.table(table)} (
      event text not null,
      subject text not null,
      hour bigint not null,
      attempts bigint not null,
      latest_at bigint not null,
      latest_key text,
      primary key (event, subject, hour)
    )`.execute(database)
  await sql`create index ${sql.id(`${table}_by_time`)} on ${sql.table(table)} (hour)`.execute(database)
}
