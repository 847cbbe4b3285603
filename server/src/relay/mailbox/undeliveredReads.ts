import type { Database } from '../../kit/database/database.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createAgedGroups } from '../../kit/runtime/agedGroups.ts'
import { hashReceiver } from './acknowledgements.ts'
import type { MessagePage, PositionedPage, Receipt, RelayMessage } from './mailbox.ts'

/** A request for a page of undelivered messages of one topic. */
export type TopicRequest = { topic: string; client: string; after: number }

/** Reads the messages that clients neither published nor acknowledged. */
export type UndeliveredReads = {
  /**
   * Reads a page of one topic. Requests that wait share a query, the oldest first.
   *
   * @param since milliseconds since 1970
   */
  readTopic(request: TopicRequest, since: number): Promise<MessagePage>
  /** Reads one page of several topics with one query. */
  readTopics(topics: readonly string[], client: string): Promise<MessagePage>
  /** Filters receipts by those of undelivered messages, with one query. */
  filterReceipts(receipts: readonly Receipt[], client: string): Promise<readonly Receipt[]>
  /** Reads a page of all topics. */
  readAll(client: string, after: number): Promise<PositionedPage>
}

export type UndeliveredReadsOptions = {
  /** Has connections of its own, so that clients that reconnect can't exhaust those of publishers. */
  database: Database
  clock: Clock
  /** Writes pending acknowledgements, so that their messages are not read again. */
  flush(): Promise<void>
}

/** Limits of the page of one topic. The first message of a page always fits. */
const page = { messages: 100, bytes: 1024 * 1024 } as const
/** Requests that share a query, the bytes of all their pages, and the number of queries at the same time. */
const sharedQuery = { group: 25, bytes: 1024 * 1024, concurrent: 2 } as const

/** The condition of an undelivered message, of a client and its hash, in both statements. */
const isUndelivered = `publisher <> client and not exists (
  select from relay_acknowledgement
  where relay_acknowledgement.sequence = relay_message.sequence and receiver = client_receiver
)`

/** The bytes of a message in a page. Reads no texts: both lengths are known without them. */
const messageSize = 'bytes + octet_length(attestation)'

/**
 * Reads a page of each of several topics, in the order of the requests. All pages together are cut at a number of bytes,
 * which bounds the memory of a query.
 */
const readTopicsStatement = `
  select * from (
    select place, sequence, topic, message, tag, attestation, origin, publisher, published_at, expires_at, candidates,
      count(*) over () as total, sum(size) over (order by place, sequence) - size as total_bytes_before
    from (
      select *, count(*) over (partition by place) as candidates,
        sum(size) over (partition by place order by sequence) - size as bytes_before,
        row_number() over (partition by place order by sequence) as number
      from unnest($1::bytea[], $2::text[], $3::bigint[], $4::bigint[])
        with ordinality as requested (requested_topic, client, client_receiver, after, place)
      cross join lateral (
        select *, ${messageSize} as size from relay_message
        where topic = requested_topic and sequence > after and expires_at > $5 and ${isUndelivered}
        order by topic, sequence limit ${page.messages + 1}
      ) as undelivered
    ) as pages
    where bytes_before < ${page.bytes} and number <= ${page.messages}
  ) as measured
  where total_bytes_before < $6 order by place, sequence`

const filterReceiptsStatement = `
  select place
  from unnest($1::bytea[], $2::bigint[]) with ordinality as receipt (receipt_topic, receipt_sequence, place)
  cross join (values ($3::text, $4::bigint)) as reader (client, client_receiver)
  join relay_message on sequence = receipt_sequence and topic = receipt_topic
  where expires_at > $5 and ${isUndelivered}`

const readAllStatement = `
  select sequence, topic, message, tag, attestation, origin, publisher, published_at, expires_at, candidates from (
    select *, count(*) over () as candidates, sum(size) over (order by sequence) - size as bytes_before
    from (
      select relay_message.*, ${messageSize} as size from relay_message, (values ($1::text, $2::bigint)) as reader (client, client_receiver)
      where sequence > $3 and expires_at > $4 and ${isUndelivered}
      order by sequence limit ${page.messages + 1}
    ) as undelivered
  ) as measured
  where bytes_before < ${page.bytes} order by sequence limit ${page.messages}`

const newestStatement = 'select coalesce(max(sequence), 0) as sequence from relay_message'

type Row = Pick<RelayMessage, 'sequence' | 'message' | 'tag' | 'attestation' | 'origin' | 'publisher'> & {
  topic: Buffer
  published_at: number
  expires_at: number
  candidates: number
}
type PlacedRow = Row & { place: number; total: number }

/** Creates the reads of a mailbox. */
export function createUndeliveredReads({ database, clock, flush }: UndeliveredReadsOptions): UndeliveredReads {
  async function query(requests: readonly TopicRequest[], bytes: number): Promise<readonly PlacedRow[]> {
    await flush()
    return database.run<PlacedRow>('relay: read topics', readTopicsStatement, [
      requests.map(({ topic }) => Buffer.from(topic, 'hex')),
      requests.map(({ client }) => client),
      requests.map(({ client }) => hashReceiver(client)),
      requests.map(({ after }) => after),
      clock.now(),
      bytes,
    ])
  }

  const shared = createAgedGroups<TopicRequest, MessagePage>(async (requests) => {
    const rows = await query(requests, sharedQuery.bytes)
    return toPages(rows, requests.length)
  }, sharedQuery)

  return {
    readTopic: shared.add,
    async readTopics(topics, client) {
      const rows = await query(
        topics.map((topic) => ({ topic, client, after: 0 })),
        page.bytes,
      )
      const pages = toPages(rows, topics.length)
      const hasMore = pages.some((each) => each === undefined || each.hasMore)
      return { messages: rows.map(toRelayMessage), hasMore }
    },
    async filterReceipts(receipts, client) {
      await flush()
      const rows = await database.run<{ place: number }>('relay: filter receipts', filterReceiptsStatement, [
        receipts.map(({ topic }) => Buffer.from(topic, 'hex')),
        receipts.map(({ sequence }) => sequence),
        client,
        hashReceiver(client),
        clock.now(),
      ])
      const places = new Set(rows.map(({ place }) => place))
      return receipts.filter((_, index) => places.has(index + 1))
    },
    async readAll(client, after) {
      await flush()
      const values = [client, hashReceiver(client), after, clock.now()]
      const newest = await database.run<{ sequence: number }>('relay: newest sequence', newestStatement, [])
      const rows = await database.run<Row>('relay: read all topics', readAllStatement, values)
      const hasMore = (rows[0]?.candidates ?? 0) > rows.length
      const lastRead = rows.at(-1)?.sequence ?? after
      // Acknowledged messages up to the newest need not be read again.
      const position = hasMore ? lastRead : Math.max(lastRead, newest[0]?.sequence ?? 0)
      return { messages: rows.map(toRelayMessage), hasMore, position }
    },
  }
}

/** Splits the rows of a query into pages. Those behind the limit of bytes are `undefined`: they were not read. */
function toPages(rows: readonly PlacedRow[], count: number): readonly (MessagePage | undefined)[] {
  const rowsByPlace = new Map<number, PlacedRow[]>()
  for (const row of rows) {
    const ofPlace = rowsByPlace.get(row.place)
    if (ofPlace === undefined) rowsByPlace.set(row.place, [row])
    else ofPlace.push(row)
  }
  const isCut = rows[0] !== undefined && rows[0].total > rows.length
  const lastPlace = rows.at(-1)?.place ?? 0
  return Array.from({ length: count }, (_, index) => {
    const ofPlace = rowsByPlace.get(index + 1) ?? []
    if (isCut && index + 1 > lastPlace) return undefined
    return { messages: ofPlace.map(toRelayMessage), hasMore: (ofPlace[0]?.candidates ?? 0) > ofPlace.length }
  })
}

function toRelayMessage({ sequence, topic, message, tag, attestation, origin, publisher, ...row }: Row): RelayMessage {
  const times = { publishedAt: row.published_at, expiresAt: row.expires_at }
  return { sequence, topic: topic.toString('hex'), message, tag, attestation, origin, publisher, ...times }
}
