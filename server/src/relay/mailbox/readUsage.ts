import type { Database } from '../../kit/database/database.ts'
import type { CountedUsage, StoredUsage } from '../limits/admitMessages.ts'

/**
 * Adds changes to the counters, as the part of a statement that follows `with changed as (…)`: the topic, publisher,
 * bytes and expiry of messages that became undelivered (`sign` is `+`), or stopped being so (`-`).
 *
 * Statements lock counters last and in the order of their keys, so they can't deadlock.
 */
export function countChanges(sign: '+' | '-'): string {
  return `
    insert into relay_usage (kind, key, messages, bytes, expires_at)
    select kind, key, ${sign}count(*), ${sign}sum(bytes), min(expires_at) from (
      select 'topic' as kind, topic as key, bytes, expires_at from changed
      union all
      select 'publisher', convert_to(publisher, 'UTF8'), bytes, expires_at from changed
    ) as change
    group by kind, key order by kind, key
    on conflict (kind, key) do update set
      messages = relay_usage.messages + excluded.messages,
      bytes = relay_usage.bytes + excluded.bytes,
      expires_at = case
        when relay_usage.messages <= 0 then excluded.expires_at
        else least(relay_usage.expires_at, excluded.expires_at)
      end`
}

/** Reads the mark, and the counters of topics and publishers. */
const readUsageStatement = `
  select null as kind, null as key, null::bigint as messages, null::bigint as bytes, null::bigint as expires_at,
    sequence as counted_until
  from relay_usage_mark
  union all
  select kind, key, messages, bytes, expires_at, null
  from unnest($1::text[], $2::bytea[]) as wanted (kind, key) join relay_usage using (kind, key)`

type Mark = { kind: null; counted_until: number }
type Counter = { kind: 'topic' | 'publisher'; key: Buffer; messages: number; bytes: number; expires_at: number }

/** The counters contain the undelivered messages up to a sequence. */
export type CountedMessages = StoredUsage & { countedUntil: number }

/** Reads the counted messages of topics and of publishers. */
export async function readUsage(
  database: Pick<Database, 'run'>,
  messages: readonly { topic: string; publisher: string }[],
): Promise<CountedMessages> {
  const topicKeys = [...new Set(messages.map(({ topic }) => topic))].map((each) => Buffer.from(each, 'hex'))
  const publisherKeys = [...new Set(messages.map(({ publisher }) => publisher))].map((each) => Buffer.from(each))
  const rows = await database.run<Mark | Counter>('relay: read usage', readUsageStatement, [
    [...topicKeys.map(() => 'topic'), ...publisherKeys.map(() => 'publisher')],
    [...topicKeys, ...publisherKeys],
  ])
  const topics = new Map<string, CountedUsage>()
  const publishers = new Map<string, CountedUsage>()
  let countedUntil = 0
  for (const row of rows) {
    if (row.kind === null) countedUntil = row.counted_until
    else if (row.kind === 'topic') topics.set(row.key.toString('hex'), toUsage(row))
    else publishers.set(row.key.toString('utf8'), toUsage(row))
  }
  return { topics, publishers, countedUntil }
}

const toUsage = ({ messages, bytes, expires_at: expiresAt }: Counter): CountedUsage => ({ messages, bytes, expiresAt })
