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
/** What is read at once. The first message of a page is never too big for it. */
const page = { messages: 100, bytes: 1024 * 1024 } as const

type Waiting = Publication & { digest: Buffer }
type Row = Omit<StoredMessage, 'publishedAt'> & { published_at: number; candidates: number }

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
      ), fresh as (
        select * from incoming where not exists (
          select from relay_message as known
          where known.topic = incoming.topic and known.digest = incoming.digest and known.expires_at > ${now}
        )
      ), used as (
        select topic, count(*) as messages, sum(octet_length(message)) as bytes from relay_message
        where topic in (select topic from fresh) and expires_at > ${now} and not exists (
          select from relay_acknowledgement as done where done.sequence = relay_message.sequence
        ) group by topic
      ), counted as (
        select fresh.*, coalesce(used.messages, 0) + count(*) over so_far as messages,
          coalesce(used.bytes, 0) + sum(octet_length(message)) over so_far as bytes
        from fresh left join used using (topic) window so_far as (partition by topic order by place)
      )
      insert into relay_message (topic, digest, message, tag, attestation, publisher, published_at, expires_at)
      select topic, digest, message, tag, attestation, publisher, ${now}::bigint, expires_at
      from counted where messages <= ${limits.messages} and bytes <= ${limits.bytes}
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
    async undelivered(topic, client, after) {
      const { rows } = await sql<Row>`
        select sequence, topic, message, tag, attestation, publisher, published_at, candidates from (
          select *, count(*) over () as candidates,
            sum(octet_length(message)) over (order by sequence) - octet_length(message) as bytes_before
          from (
            select * from relay_message
            where topic = ${topic} and sequence > ${after} and expires_at > ${clock.now()} and publisher <> ${client}
              and not exists (
                select from relay_acknowledgement as done
                where done.sequence = relay_message.sequence and done.client = ${client}
              )
            order by sequence limit ${page.messages + 1}
          ) as waiting
        ) as measured
        where bytes_before < ${page.bytes} order by sequence limit ${page.messages}`.execute(database)
      return { messages: rows.map(readRow), hasMore: rows[0] !== undefined && rows[0].candidates > rows.length }
    },
    async acknowledge(sequence, client) {
      await acknowledgements.add({ sequence, client })
    },
    async sweep() {
      const now = clock.now()
      const { rows } = await sql<{ messages: number }>`
        with gone as (
          delete from relay_message where expires_at <= ${now} returning sequence
        ), forgotten as (
          delete from relay_acknowledgement using gone where relay_acknowledgement.sequence = gone.sequence
        )
        select count(*) as messages from gone`.execute(database)
      // Of those whose message was published anew no message is left; none lives longer than the longest may be kept.
      const oldest = now - ttlRange.most * 1000
      await sql`delete from relay_acknowledgement where acknowledged_at < ${oldest}`.execute(database)
      return rows[0]?.messages ?? 0
    },
    async idle() {
      await publications.idle()
      await acknowledgements.idle()
    },
  }
}

function readRow({ sequence, topic, message, tag, attestation, publisher, published_at }: Row): StoredMessage {
  return { sequence, topic, message, tag, attestation, publisher, publishedAt: published_at }
}

function digestOf(message: string): Buffer {
  return createHash('sha256').update(message).digest()
}

function keyOf({ topic, digest }: { topic: string; digest: Buffer }): string {
  return topic + digest.toString('latin1')
}
