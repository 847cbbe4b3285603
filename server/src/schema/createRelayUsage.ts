import { sql, type Kysely } from 'kysely'

/**
 * Creates the counters of the relay's quotas, with the values of the messages that are stored already.
 *
 * @see docs/decisions/relay-quotas-are-counted-with-the-messages.md
 */
export async function createRelayUsage(database: Kysely<unknown>): Promise<void> {
  // The size of a long message is not part of its row, and reading it costs more than the rest of a query.
  await sql`alter table relay_message add column bytes integer not null
    generated always as (octet_length(message)) stored`.execute(database)
  await sql`create index relay_message_by_topic on relay_message (topic, sequence)`.execute(database)
  // Marks the first receiver of a message, which ends its place in the mailbox. The index makes it unique.
  await sql`alter table relay_acknowledgement add column is_first boolean not null default false`.execute(database)
  await sql`delete from relay_acknowledgement as acknowledgement
    where not exists (select from relay_message where sequence = acknowledgement.sequence)`.execute(database)
  await sql`update relay_acknowledgement set is_first = true where (sequence, receiver) in (
    select sequence, min(receiver) from relay_acknowledgement group by sequence)`.execute(database)
  await sql`create unique index relay_acknowledgement_first on relay_acknowledgement (sequence) where is_first`.execute(
    database,
  )
  await createUsageTable(database)
}

async function createUsageTable(database: Kysely<unknown>): Promise<void> {
  // Rows change with every group of messages. Half-filled pages let PostgreSQL change them in place.
  await sql`
    create table relay_usage (
      kind text not null check (kind in ('topic', 'publisher')),
      key bytea not null,
      messages bigint not null,
      bytes bigint not null,
      expires_at bigint not null,
      primary key (kind, key)
    ) with (fillfactor = 50)`.execute(database)
  await sql`
    with undelivered as (
      select * from relay_message as message where not exists (
        select from relay_acknowledgement where sequence = message.sequence)
    )
    insert into relay_usage (kind, key, messages, bytes, expires_at)
    select 'topic', topic, count(*), sum(bytes), min(expires_at) from undelivered group by topic
    union all
    select 'publisher', convert_to(publisher, 'UTF8'), count(*), sum(bytes), min(expires_at)
    from undelivered group by publisher`.execute(database)
}
