import { sql, type Kysely } from 'kysely'

/**
 * Creates the mark up to which messages are counted in `relay_usage`. All stored messages are.
 *
 * The function locks the mark until the transaction ends, and returns it. A volatile function in PL/pgSQL reads with a snapshot
 * of its own, so it returns the mark as it is once the lock is held, and not as it was when the calling statement began.
 *
 * @see docs/decisions/relay-quotas-are-counted-with-the-messages.md
 */
export async function createUsageMark(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table relay_usage_mark (
      id smallint primary key default 1 check (id = 1),
      sequence bigint not null
    )`.execute(database)
  await sql`
    insert into relay_usage_mark (sequence) select coalesce(max(sequence), 0) from relay_message`.execute(database)
  await sql`
    create function relay_counted_until() returns bigint language plpgsql volatile as $$
    begin
      perform pg_advisory_xact_lock_shared(${sql.lit(usageMarkLock)});
      return (select sequence from relay_usage_mark);
    end $$`.execute(database)
}

/** The advisory lock of the mark: shared by statements that change messages, exclusive for the one that moves the mark. */
export const usageMarkLock = 0x1a7c5a6e
