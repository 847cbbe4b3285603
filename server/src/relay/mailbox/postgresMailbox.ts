import { sql } from 'kysely'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Database } from '../../kit/database/database.ts'
import type { MailboxLimits } from '../limits/admitMessages.ts'
import { createAcknowledgements, hashReceiver } from './acknowledgements.ts'
import { createMessageCounter } from './createMessageCounter.ts'
import { deleteExpired } from './deleteMessages.ts'
import type { Mailbox } from './mailbox.ts'
import { createMessageStore, type MessageStoreOptions } from './messageStore.ts'
import { createUncountedMessages } from './uncountedMessages.ts'
import { createUsageEstimates } from './usageEstimates.ts'
import { createUndeliveredReads } from './undeliveredReads.ts'

export type PostgresMailboxOptions = {
  database: Database
  /** The connections for clients that catch up; those of `database` by default. */
  catchUpDatabase?: Database
  clock: Clock
  limits: MailboxLimits
  /** The bridge's client. It publishes for many clients, and its acknowledgement does not mean that a subscriber has a message. */
  bridgeClientId?: string | undefined
  tracing?: MessageStoreOptions['tracing']
}

/** The most batches of one deletion. The next one continues. */
const maxDeletionBatches = 100
/** A message counts as unacknowledged after this time. */
const acknowledgementTimeoutMs = 2_000

/**
 * Creates the mailbox in PostgreSQL. The messages of a group are stored with one statement and one commit; the next group is
 * gathered in the meantime.
 */
export function createPostgresMailbox(options: PostgresMailboxOptions): Mailbox {
  const { database, catchUpDatabase = database, clock, limits, bridgeClientId = '' } = options
  const { kysely } = database
  const counter = createMessageCounter({ kysely })
  const uncounted = createUncountedMessages()
  const estimates = createUsageEstimates({ limits, exemptPublisher: options.bridgeClientId })
  const messages = createMessageStore({ ...options, counter, uncounted, estimates })
  const acknowledgements = createAcknowledgements({ database })
  const reads = createUndeliveredReads({ database: catchUpDatabase, clock, flush: acknowledgements.flushed })

  return {
    store: messages.store,
    listUndelivered: (topic, client, after, since = clock.now()) => reads.readTopic({ topic, client, after }, since),
    listUndeliveredOnTopics: reads.readTopics,
    listAllUndelivered: (client, after) => reads.readAll(client, Number(after)),
    filterUndelivered: reads.filterReceipts,
    async findUnacknowledgedTopics(after) {
      if (after === undefined) {
        const { rows } = await sql<{ last: number }>`
          select coalesce(max(sequence), 0) as last from relay_message`.execute(kysely)
        return { topics: [], last: rows[0]?.last ?? 0 }
      }
      const { rows } = await sql<{ topics: readonly Buffer[] | null; last: number | null }>`
        select max(sequence) as last, array_agg(distinct topic) filter (where not exists (
          select from relay_acknowledgement
          where relay_acknowledgement.sequence = relay_message.sequence
            and receiver <> ${hashReceiver(bridgeClientId)}::bigint
        )) as topics
        from relay_message
        where sequence > ${Number(after)} and published_at <= ${clock.now() - acknowledgementTimeoutMs}`.execute(kysely)
      return { topics: (rows[0]?.topics ?? []).map((topic) => topic.toString('hex')), last: rows[0]?.last ?? after }
    },
    acknowledge({ sequence }, client) {
      const uncountedMessage = uncounted.remove(sequence)
      if (uncountedMessage !== undefined) estimates.remove(uncountedMessage)
      return acknowledgements.add(sequence, client)
    },
    deleteExpired: () => deleteExpired(kysely, clock.now(), maxDeletionBatches),
    async idle() {
      await messages.idle()
      await acknowledgements.flushed()
      await counter.flushed()
    },
  }
}
