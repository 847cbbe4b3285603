import { sql, type Kysely } from 'kysely'
import { usageMarkLock } from '../../schema/createUsageMark.ts'
import { countChanges } from './readUsage.ts'

/** Adds the messages that are still undelivered to the counters of all processes. */
export type MessageCounter = {
  /** Counts half a second later, unless another process has counted the message with this sequence until then. */
  countSoon(sequence: number): void
  /** Counts now. Fails if the database can't. */
  count(): Promise<void>
  /** Counts now what would be counted soon. */
  flushed(): Promise<void>
}

/** Messages that are delivered within this time are rarely counted. */
const delayMs = 500
/** The most messages that one transaction counts, because no message is stored during that time. */
const maxMessages = 10_000
/** No other process counts while this lock is held. */
export const counterLock = 0x1a7c5a6f

/**
 * Moves the mark over the newest messages, and counts those without an acknowledgement. Acknowledgements and deletions that
 * started before have ended, because the lock waits for them, and later ones see the new mark.
 */
const countStatement = sql<{ counted: number }>`
  with mark as (
    select sequence as counted_until from relay_usage_mark
  ), message as materialized (
    select sequence, topic, publisher, bytes, expires_at from relay_message
    where sequence > (select counted_until from mark) order by sequence limit ${maxMessages}
  ), changed as (
    select topic, publisher, bytes, expires_at from message
    where not exists (select from relay_acknowledgement where relay_acknowledgement.sequence = message.sequence)
  ), counted as (${sql.raw(countChanges('+'))}), moved as (
    update relay_usage_mark
    set sequence = coalesce((select max(sequence) from message), sequence)
  )
  select count(*)::integer as counted from message`

/** Creates the counter of one process. */
export function createMessageCounter({ kysely }: { kysely: Kysely<unknown> }): MessageCounter {
  let running: Promise<void> | undefined
  let countNow = (): void => {}
  let newest = 0

  async function countLater(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delayMs)
      countNow = (): void => {
        clearTimeout(timer)
        resolve()
      }
    })
    const { rows } = await sql<{ sequence: number }>`select sequence from relay_usage_mark`.execute(kysely)
    if ((rows[0]?.sequence ?? 0) < newest) await count()
  }

  async function count(): Promise<void> {
    while ((await countBatch(kysely)) === maxMessages);
  }

  return {
    countSoon(sequence) {
      newest = Math.max(newest, sequence)
      // A failed attempt is repeated after the next message. Until then, this process remembers its own.
      running ??= countLater()
        .catch(() => undefined)
        .finally(() => (running = undefined))
    },
    count,
    async flushed() {
      countNow()
      await running
    },
  }
}

/** @returns the number of messages that the mark has passed; 0 if another process counts */
async function countBatch(kysely: Kysely<unknown>): Promise<number> {
  return kysely.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ is_first: boolean }>`
      select pg_try_advisory_xact_lock(${counterLock}::bigint) as is_first`.execute(transaction)
    if (rows[0]?.is_first !== true) return 0
    // Messages are not stored while this waits for a long deletion.
    await sql`set local lock_timeout = '1s'`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${usageMarkLock}::bigint)`.execute(transaction)
    const counted = await countStatement.execute(transaction)
    return counted.rows[0]?.counted ?? 0
  })
}
