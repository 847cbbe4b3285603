import { sql, type Kysely } from 'kysely'

/** Creates the table of the queues in which strangers wait for mails beyond the budget of a mailbox. */
export async function createMailTurnTable(
  database: Kysely<unknown>,
  table: 'auth_mail_turn' | 'share_mail_turn',
): Promise<void> {
  await sql`
    create table ${sql.table(table)} (
      mailbox bytea not null,
      network bytea not null,
      turn_at bigint not null,
      primary key (mailbox, network)
    )`.execute(database)
  await sql`create index ${sql.id(`${table}_by_time`)} on ${sql.table(table)} (turn_at)`.execute(database)
}
