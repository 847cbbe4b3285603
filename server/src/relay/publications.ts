import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../kit/database.ts'
import type { Publication, Stored, StoredMessage } from './mailbox.ts'
import { createUsageLimit, type Usage } from './usageLimit.ts'

/** A publication as the store looks at it: with the SHA-256 of its message, by which a repeat is known. */
export type Letter = Publication & { topicBytes: Buffer; digest: Buffer; key: string }

export type PublicationsOptions = {
  database: Database
  clock: Clock
  limits: MailboxLimits
  /** A publisher that speaks for many: it may keep as much waiting as there is. */
  carrier?: string | undefined
}

/** What may wait: messages of one topic, their bytes together, and the bytes of all that one client published. */
export type MailboxLimits = Usage & { bytesPerPublisher: number }

/** How long a publisher that has too much waiting is believed to, in milliseconds: counting reads the whole store. */
const publisherRest = 10_000

/** Run for each group of publications, thousands of times. */
const insertLetters = `
  insert into relay_letter (topic, digest, message, tag, attestation, origin, publisher, published_at, expires_at)
  select topic, digest, message, tag, attestation, origin, publisher, $8, expires_at
  from unnest($1::bytea[], $2::bytea[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $9::bigint[])
    with ordinality as letter (topic, digest, message, tag, attestation, origin, publisher, expires_at, place)
  order by place
  on conflict (topic, digest) do nothing
  returning sequence, topic, digest`

/** Makes a letter of a publication. */
export function createLetter(publication: Publication): Letter {
  const topicBytes = Buffer.from(publication.topic, 'hex')
  const digest = hash('sha256', publication.message, 'buffer')
  return { ...publication, topicBytes, digest, key: keyOf(topicBytes, digest) }
}

/** Makes what keeps a group of letters with one statement and one commit, and tells what became of each. */
export function createPublications({
  database,
  clock,
  limits,
  carrier,
}: PublicationsOptions): (group: readonly Letter[]) => Promise<readonly Stored[]> {
  const topics = createUsageLimit({ most: limits, measure: measureTopics })
  const publishers = createUsageLimit({
    most: { messages: Infinity, bytes: limits.bytesPerPublisher },
    measure: measurePublishers,
    sparing: { milliseconds: publisherRest, clock },
  })

  async function measureTopics(topics: readonly string[]): Promise<ReadonlyMap<string, Usage>> {
    const asked = topics.map((topic) => Buffer.from(topic, 'hex'))
    const { rows } = await sql<{ topic: Buffer; messages: number; bytes: number }>`
      select topic, count(*) as messages, sum(octet_length(message))::bigint as bytes from relay_letter
      where topic = any(${asked}::bytea[]) and expires_at > ${clock.now()} and not exists (
        select from relay_receipt where relay_receipt.sequence = relay_letter.sequence
      ) group by topic`.execute(database.kysely)
    return new Map(rows.map(({ topic, messages, bytes }) => [topic.toString('hex'), { messages, bytes }]))
  }

  async function measurePublishers(asked: readonly string[]): Promise<ReadonlyMap<string, Usage>> {
    const { rows } = await sql<{ publisher: string; messages: number; bytes: number }>`
      select publisher, count(*) as messages, sum(octet_length(message))::bigint as bytes from relay_letter
      where publisher = any(${asked}::text[]) and expires_at > ${clock.now()} and not exists (
        select from relay_receipt where relay_receipt.sequence = relay_letter.sequence
      ) group by publisher`.execute(database.kysely)
    return new Map(rows.map(({ publisher, messages, bytes }) => [publisher, { messages, bytes }]))
  }

  /** Which of some there is room for. */
  async function admit(letters: readonly Letter[]): Promise<readonly Letter[]> {
    const sized = letters.map((letter) => ({ letter, bytes: Buffer.byteLength(letter.message) }))
    const onTopics = await topics.admit(sized.map(({ letter, bytes }) => ({ key: letter.topic, bytes })))
    const fitting = sized.filter((_, index) => onTopics[index] === true)
    const limited = fitting.filter(({ letter }) => letter.publisher !== carrier)
    const ofPublishers = await publishers.admit(limited.map(({ letter, bytes }) => ({ key: letter.publisher, bytes })))
    const refused = new Set(limited.filter((_, index) => ofPublishers[index] !== true))
    return fitting.filter((item) => !refused.has(item)).map(({ letter }) => letter)
  }

  async function insert(letters: readonly Letter[]): Promise<ReadonlyMap<string, StoredMessage>> {
    if (letters.length === 0) return new Map()
    const now = clock.now()
    const column = <value>(read: (letter: Letter) => value): value[] => letters.map(read)
    const rows = await database.run<{ sequence: number; topic: Buffer; digest: Buffer }>(
      'relay: insert letters',
      insertLetters,
      [
        column(({ topicBytes }) => topicBytes),
        column(({ digest }) => digest),
        column(({ message }) => message),
        column(({ tag }) => tag),
        column(({ attestation }) => attestation),
        column(({ origin }) => origin),
        column(({ publisher }) => publisher),
        now,
        column(({ ttl }) => now + ttl * 1000),
      ],
    )
    const sequences = new Map(rows.map(({ topic, digest, sequence }) => [keyOf(topic, digest), sequence]))
    return new Map(
      letters.flatMap((letter): Array<[string, StoredMessage]> => {
        const sequence = sequences.get(letter.key)
        return sequence === undefined ? [] : [[letter.key, writeDown(letter, sequence, now)]]
      }),
    )
  }

  /** Which of some are kept already. Those whose time is over are deleted: they are to be kept anew. */
  async function findRepeats(letters: readonly Letter[]): Promise<ReadonlySet<string>> {
    if (letters.length === 0) return new Set()
    const now = clock.now()
    const { rows } = await sql<{ topic: Buffer; digest: Buffer }>`
      with asked as (
        select * from unnest(
          ${letters.map(({ topicBytes }) => topicBytes)}::bytea[], ${letters.map(({ digest }) => digest)}::bytea[]
        ) as asked (topic, digest)
      ), gone as (
        delete from relay_letter using asked
        where relay_letter.topic = asked.topic and relay_letter.digest = asked.digest and expires_at <= ${now}
        returning sequence
      ), forgotten as (
        delete from relay_receipt using gone where relay_receipt.sequence = gone.sequence
      )
      select topic, digest from relay_letter join asked using (topic, digest)
      where expires_at > ${now}`.execute(database.kysely)
    return new Set(rows.map(({ topic, digest }) => keyOf(topic, digest)))
  }

  return async (group) => {
    const firsts = new Map<string, Letter>()
    for (const letter of group) if (!firsts.has(letter.key)) firsts.set(letter.key, letter)
    const letters = [...firsts.values()]
    const admitted = await admit(letters)
    const stored = await insert(admitted)
    const repeats = await findRepeats(letters.filter(({ key }) => !stored.has(key)))
    const anew = await insert(admitted.filter(({ key }) => !stored.has(key) && !repeats.has(key)))
    return group.map((letter): Stored => {
      const message = stored.get(letter.key) ?? anew.get(letter.key)
      if (message === undefined) return { outcome: repeats.has(letter.key) ? 'repeat' : 'full' }
      return firsts.get(letter.key) === letter ? { outcome: 'stored', message } : { outcome: 'repeat' }
    })
  }
}

function writeDown(letter: Letter, sequence: number, now: number): StoredMessage {
  const { topic, message, tag, attestation, origin, publisher, ttl } = letter
  const times = { publishedAt: now, expiresAt: now + ttl * 1000 }
  return { sequence, topic, message, tag, attestation, origin, publisher, ...times }
}

function keyOf(topic: Buffer, digest: Buffer): string {
  return topic.toString('latin1') + digest.toString('latin1')
}
