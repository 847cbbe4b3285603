import { sql } from 'kysely'
import type { Database } from '../../kit/database/database.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { MessageCounter } from './createMessageCounter.ts'
import { deleteExpired, deleteMessages, selectExpiredOnTopic } from './deleteMessages.ts'
import type { StoreResult } from './mailbox.ts'
import type { HashedMessage } from './messageKey.ts'

/** A quota by what it counts: the messages of a topic or of a publisher. */
export type Quota = { kind: 'topic' | 'publisher'; key: string }

/**
 * Full quotas whose expired messages must be deleted. New messages wait in the meantime, so that they keep their order.
 */
export type ExpiringQuotas = {
  /** True if a message must wait. */
  has(message: HashedMessage): boolean
  /** Makes the messages of a topic or of a publisher wait. */
  add(quota: Quota): void
  /** Deletes the expired messages of a quota, then stores the messages that wait, in their order. */
  wait(message: HashedMessage): Promise<StoreResult>
  isBusy(): boolean
  /** Resolves when all deletions so far are done and their messages stored. */
  idle(): Promise<void>
}

export type ExpiringQuotasOptions = {
  database: Pick<Database, 'kysely'>
  clock: Clock
  /** Counts the messages of the quota, before the expired ones are subtracted. */
  counter: Pick<MessageCounter, 'count'>
}

type QueuedMessage = { message: HashedMessage; resolve(result: Promise<StoreResult>): void }
type ExpiringQuota = { quota: Quota; waiting: QueuedMessage[]; done: Promise<void> | undefined }

/** Expired messages of a full quota are looked for at most this often, by all processes together. */
const searchIntervalMs = 10_000
/** The most batches of expired messages that are deleted for the sake of one publisher. */
const publisherBatches = 10

/**
 * Creates an empty set of quotas. The deletions run in parallel with the groups of messages, because one full topic must
 * not delay the others.
 *
 * @param store stores a message that waited
 */
export function createExpiringQuotas(
  { database, clock, counter }: ExpiringQuotasOptions,
  store: (message: HashedMessage) => Promise<StoreResult>,
): ExpiringQuotas {
  const quotas = new Map<string, ExpiringQuota>()

  function find({ topic, publisher }: HashedMessage): ExpiringQuota | undefined {
    // Usually no quota is full, and the names would cost more than the rest of a decision.
    if (quotas.size === 0) return undefined
    return quotas.get(`topic ${topic}`) ?? quotas.get(`publisher ${publisher}`)
  }

  async function run({ quota, waiting }: ExpiringQuota): Promise<void> {
    // If it fails, the current counters decide if the messages are stored or refused.
    await counter
      .count()
      .then(() => expireQuota(database, quota, clock.now()))
      .catch(() => undefined)
    while (waiting.length > 0) {
      const results = waiting.splice(0).map(({ message, resolve }) => {
        const result = store(message)
        resolve(result)
        return result
      })
      await Promise.allSettled(results)
    }
    quotas.delete(`${quota.kind} ${quota.key}`)
  }

  return {
    has: (message) => find(message) !== undefined,
    add(quota) {
      const name = `${quota.kind} ${quota.key}`
      if (!quotas.has(name)) quotas.set(name, { quota, waiting: [], done: undefined })
    },
    wait(message) {
      const expiring = find(message)
      // All messages that waited before it are stored.
      if (expiring === undefined) return store(message)
      const result = new Promise<StoreResult>((resolve) => expiring.waiting.push({ message, resolve }))
      // Only now, because the group that found the quota full had to end first.
      expiring.done ??= run(expiring)
      return result
    },
    isBusy: () => [...quotas.values()].some(({ done }) => done !== undefined),
    async idle() {
      await Promise.all([...quotas.values()].map(({ done }) => done))
    },
  }
}

async function expireQuota({ kysely }: Pick<Database, 'kysely'>, { kind, key }: Quota, now: number): Promise<void> {
  const keyBytes = kind === 'topic' ? Buffer.from(key, 'hex') : Buffer.from(key)
  await sql`
    update relay_usage set expires_at = ${now + searchIntervalMs}
    where kind = ${kind} and key = ${keyBytes}`.execute(kysely)
  if (kind === 'topic') await deleteMessages(kysely, selectExpiredOnTopic(keyBytes, now))
  else await deleteExpired(kysely, now, publisherBatches)
}
