import { sql, type Kysely, type RawBuilder } from 'kysely'
import { usageMarkLock } from '../../schema/createUsageMark.ts'
import { countChanges } from './readUsage.ts'

/** The most messages that one transaction deletes, so that it is short and holds few locks. */
const deletionBatch = 1_000

/** Selects expired messages, the oldest first, for deletion. Messages that another process deletes are skipped. */
function selectExpired(now: number): RawBuilder<{ sequence: number }> {
  return sql`
    select sequence from relay_message where expires_at <= ${now}
    order by expires_at limit ${deletionBatch} for update skip locked`
}

/** Selects the expired messages of one topic for deletion. */
export function selectExpiredOnTopic(topic: Buffer, now: number): RawBuilder<{ sequence: number }> {
  return sql`
    select sequence from relay_message where topic = ${topic} and expires_at <= ${now}
    order by topic, sequence limit ${deletionBatch} for update skip locked`
}

/** Deletes expired messages, the oldest first, in at most `maxBatches` transactions. @returns their number */
export async function deleteExpired(kysely: Kysely<unknown>, now: number, maxBatches: number): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const count = await deleteMessages(kysely, selectExpired(now))
    deleted += count
    if (count < deletionBatch) break
  }
  return deleted
}

/**
 * Deletes messages with their acknowledgements, and subtracts the undelivered ones that the counters contain.
 *
 * @param selection selects and locks the sequences, at most `deletionBatch`
 * @returns their number
 */
export async function deleteMessages(
  kysely: Kysely<unknown>,
  selection: RawBuilder<{ sequence: number }>,
): Promise<number> {
  return kysely.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock_shared(${usageMarkLock}::bigint)`.execute(transaction)
    const { rows: selected } = await selection.execute(transaction)
    if (selected.length === 0) return 0
    const sequences = selected.map(({ sequence }) => sequence)
    // A statement of its own sees the acknowledgements that were written until the messages were locked.
    const { rows } = await sql<{ topic: Buffer; publisher: string }>`
      with deleted as (
        delete from relay_message where sequence = any(${sequences}::bigint[])
        returning sequence, topic, publisher, bytes, expires_at
      ), acknowledged as (
        delete from relay_acknowledgement where sequence = any(${sequences}::bigint[]) returning sequence
      ), changed as (
        select * from deleted
        where sequence not in (select sequence from acknowledged) and sequence <= (select relay_counted_until())
      ), counted as (${sql.raw(countChanges('-'))})
      select topic, publisher from deleted`.execute(transaction)
    await deleteEmptyCounters(transaction, rows)
    return rows.length
  })
}

async function deleteEmptyCounters(
  transaction: Kysely<unknown>,
  messages: readonly { topic: Buffer; publisher: string }[],
): Promise<void> {
  const topics = [...new Map(messages.map(({ topic }) => [topic.toString('latin1'), topic])).values()]
  const publishers = [...new Set(messages.map(({ publisher }) => publisher))].map((each) => Buffer.from(each))
  const kinds = [...topics.map(() => 'topic'), ...publishers.map(() => 'publisher')]
  await sql`
    delete from relay_usage where (kind, key) in (
      select kind, key from unnest(${kinds}::text[], ${[...topics, ...publishers]}::bytea[]) as touched (kind, key)
        join relay_usage using (kind, key)
      where messages <= 0 order by kind, key for update of relay_usage skip locked
    )`.execute(transaction)
}
