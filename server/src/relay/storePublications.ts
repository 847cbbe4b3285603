import { sql, type Kysely } from 'kysely'
import type { Publication, Stored, StoredMessage } from './mailbox.ts'

/** A publication with the SHA-256 of its message, by which a repeat is known. */
export type Incoming = Publication & { digest: Buffer }

export type StoreOptions = {
  /** Milliseconds since 1970. */
  now: number
  /** What may wait on one topic. */
  limits: { messages: number; bytes: number }
}

/** Keeps a group of publications with one statement and one commit, and tells what became of each. */
export async function storePublications(
  database: Kysely<unknown>,
  group: readonly Incoming[],
  options: StoreOptions,
): Promise<readonly Stored[]> {
  // One statement cannot touch a row twice: repeats within a group are its own business.
  const firsts = new Map(group.map((item) => [keyOf(item), item]))
  const stored = await insert(database, firsts, options)
  const missing = [...firsts].filter(([key]) => !stored.has(key)).map(([, item]) => item)
  const known = missing.length === 0 ? new Set<string>() : await findKnown(database, missing)
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

async function insert(
  database: Kysely<unknown>,
  firsts: ReadonlyMap<string, Incoming>,
  { now, limits }: StoreOptions,
): Promise<ReadonlyMap<string, StoredMessage>> {
  const items = [...firsts.values()]
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
      select topic, count(*) as messages, sum(bytes) as bytes from relay_waiting
      where topic in (select topic from fresh) and expires_at > ${now} group by topic
    ), counted as (
      select fresh.*, coalesce(used.messages, 0) + count(*) over so_far as messages,
        coalesce(used.bytes, 0) + sum(octet_length(message)) over so_far as bytes
      from fresh left join used using (topic) window so_far as (partition by topic order by place)
    ), inserted as (
      insert into relay_message (topic, digest, message, tag, attestation, publisher, published_at, expires_at)
      select topic, digest, message, tag, attestation, publisher, ${now}::bigint, expires_at
      from counted where messages <= ${limits.messages} and bytes <= ${limits.bytes}
      order by place
      on conflict (topic, digest) do update set
        sequence = default, tag = excluded.tag, attestation = excluded.attestation, publisher = excluded.publisher,
        published_at = excluded.published_at, expires_at = excluded.expires_at
      where relay_message.expires_at <= ${now}
      returning sequence, topic, digest, octet_length(message) as bytes, expires_at
    ), noted as (
      insert into relay_waiting (sequence, topic, bytes, expires_at)
      select sequence, topic, bytes, expires_at from inserted
    )
    select sequence, topic, digest from inserted`.execute(database)
  return new Map(
    rows.flatMap(({ sequence, topic, digest }): Array<[string, StoredMessage]> => {
      const key = keyOf({ topic, digest })
      const item = firsts.get(key)
      if (item === undefined) return []
      const { message, tag, attestation, publisher, ttl } = item
      const times = { publishedAt: now, expiresAt: now + ttl * 1000 }
      return [[key, { sequence, topic, message, tag, attestation, publisher, ...times }]]
    }),
  )
}

async function findKnown(database: Kysely<unknown>, items: readonly Incoming[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ topic: string; digest: Buffer }>`
    select topic, digest from relay_message join unnest(
      ${items.map(({ topic }) => topic)}::text[], ${items.map(({ digest }) => digest)}::bytea[]
    ) as asked (topic, digest) using (topic, digest)`.execute(database)
  return new Set(rows.map(keyOf))
}

function keyOf({ topic, digest }: { topic: string; digest: Buffer }): string {
  return topic + digest.toString('latin1')
}
