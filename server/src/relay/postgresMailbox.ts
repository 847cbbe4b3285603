import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createBatch } from '../kit/batch.ts'
import type { Clock } from '../kit/clock.ts'
import { ttlRange } from './config.ts'
import type { Mailbox, Publication, Stored, StoredMessage } from './mailbox.ts'

export type PostgresMailboxOptions = {
  database: Kysely<unknown>
  clock: Clock
  /** What one topic may hold. */
  limits: { messages: number; bytes: number }
}

const groups = { group: 500, queue: 20_000 } as const

type Waiting = Publication & { digest: Buffer }
type Row = Omit<StoredMessage, 'publishedAt'> & { published_at: number }

/**
 * The mailbox in PostgreSQL. All publications of one turn of the event loop are one statement and one commit; the
 * next group is gathered while that runs.
 */
export function createPostgresMailbox({ database, clock, limits }: PostgresMailboxOptions): Mailbox {
  const publications = createBatch<Waiting, Stored>((group) => storeGroup(group), groups)
  const acknowledgements = createBatch<{ sequence: number; client: string }, true>(acknowledgeGroup, groups)

  async function storeGroup(group: readonly Waiting[]): Promise<readonly Stored[]> {
    const now = clock.now()
    // One statement cannot touch a row twice: repeats within a group are its own business.
    const firsts = new Map(group.map((item) => [keyOf(item), item]))
    const stored = await insert([...firsts.values()], now)
    const missing = [...firsts].filter(([key]) => !stored.has(key)).map(([, item]) => item)
    const known = missing.length === 0 ? new Set<string>() : await findKnown(missing)
    const told = new Set<string>()
    return group.map((item): Stored => {
      const key = keyOf(item)
      const message = stored.get(key)
      if (message === undefined) return { outcome: known.has(key) ? 'repeat' : 'full' }
      if (told.has(key)) return { outcome: 'repeat' }
      told.add(key)
      return { outcome: 'stored', message }
    })
  }

  async function insert(items: readonly Waiting[], now: number): Promise<ReadonlyMap<string, StoredMessage>> {
    const { rows } = await sql<{ sequence: number; topic: string; digest: Buffer }>`
      with incoming as (
        select * from unnest(
          ${items.map(({ topic }) => topic)}::text[], ${items.map(({ digest }) => digest)}::bytea[],
          ${items.map(({ message }) => message)}::text[], ${items.map(({ tag }) => tag)}::bigint[],
          ${items.map(({ attestation }) => attestation)}::text[], ${items.map(({ publisher }) => publisher)}::text[],
          ${items.map(({ ttl }) => now + ttl * 1000)}::bigint[]
        ) with ordinality as row (topic, digest, message, tag, attestation, publisher, expires_at, place)
      ), used as (
        select topic, count(*) as messages, sum(length(message)) as bytes from relay_message
        where topic in (select topic from incoming) and expires_at > ${now} group by topic
      )
      insert into relay_message (topic, digest, message, tag, attestation, publisher, published_at, expires_at)
      select topic, digest, message, tag, attestation, publisher, ${now}::bigint, expires_at
      from incoming left join used using (topic)
      where coalesce(messages, 0) < ${limits.messages} and coalesce(bytes, 0) + length(message) <= ${limits.bytes}
      order by place
      on conflict (topic, digest) do update set
        sequence = default, tag = excluded.tag, attestation = excluded.attestation, publisher = excluded.publisher,
        published_at = excluded.published_at, expires_at = excluded.expires_at
      where relay_message.expires_at <= ${now}
      returning sequence, topic, digest`.execute(database)
    const byKey = new Map(items.map((item) => [keyOf(item), item]))
    return new Map(
      rows.flatMap(({ sequence, topic, digest }): Array<[string, StoredMessage]> => {
        const key = keyOf({ topic, digest })
        const item = byKey.get(key)
        if (item === undefined) return []
        const { message, tag, attestation, publisher } = item
        return [[key, { sequence, topic, message, tag, attestation, publisher, publishedAt: now }]]
      }),
    )
  }

  async function findKnown(items: readonly Waiting[]): Promise<ReadonlySet<string>> {
    const { rows } = await sql<{ topic: string; digest: Buffer }>`
      select topic, digest from relay_message join unnest(
        ${items.map(({ topic }) => topic)}::text[], ${items.map(({ digest }) => digest)}::bytea[]
      ) as asked (topic, digest) using (topic, digest)`.execute(database)
    return new Set(rows.map(keyOf))
  }

  async function acknowledgeGroup(group: readonly { sequence: number; client: string }[]): Promise<readonly true[]> {
    await sql`
      insert into relay_acknowledgement (sequence, client, acknowledged_at)
      select sequence, client, ${clock.now()}::bigint from unnest(
        ${group.map(({ sequence }) => sequence)}::bigint[], ${group.map(({ client }) => client)}::text[]
      ) as row (sequence, client)
      on conflict do nothing`.execute(database)
    return group.map(() => true)
  }

  return {
    store: (publication) => publications.add({ ...publication, digest: digestOf(publication.message) }),
    async undelivered(topic, client, after, limit) {
      const { rows } = await sql<Row>`
        select sequence, topic, message, tag, attestation, publisher, published_at from relay_message
        where topic = ${topic} and sequence > ${after} and expires_at > ${clock.now()} and publisher <> ${client}
          and not exists (
            select 1 from relay_acknowledgement as done
            where done.sequence = relay_message.sequence and done.client = ${client}
          )
        order by sequence limit ${limit}`.execute(database)
      return rows.map(({ published_at: publishedAt, ...row }) => ({ ...row, publishedAt }))
    },
    async acknowledge(sequence, client) {
      await acknowledgements.add({ sequence, client })
    },
    async sweep() {
      const now = clock.now()
      const { numAffectedRows } = await sql`delete from relay_message where expires_at <= ${now}`.execute(database)
      // No message lives longer than the longest that one may be kept.
      const oldest = now - ttlRange.most * 1000
      await sql`delete from relay_acknowledgement where acknowledged_at < ${oldest}`.execute(database)
      return Number(numAffectedRows ?? 0n)
    },
    async idle() {
      await publications.idle()
      await acknowledgements.idle()
    },
  }
}

function digestOf(message: string): Buffer {
  return createHash('sha256').update(message).digest()
}

function keyOf({ topic, digest }: { topic: string; digest: Buffer }): string {
  return topic + digest.toString('latin1')
}
