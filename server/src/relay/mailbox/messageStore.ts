import type { Database } from '../../kit/database/database.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { createStorageQuota, type Usage } from '../limits/storageQuota.ts'
import type { RelayMessage, StoreResult } from './mailbox.ts'
import type { HashedMessage } from './messageKey.ts'
import { createMessageTable, type MessageTable } from './messageTable.ts'

export type MessageStoreOptions = {
  database: Database
  clock: Clock
  limits: MailboxLimits
  /** The bridge publishes for many clients, so the limit per publisher does not apply to it. */
  bridgeClientId?: string | undefined
}

/** Limits of undelivered messages: of one topic, their bytes, and the bytes of all that one client published. */
export type MailboxLimits = Usage & { bytesPerPublisher: number }

/** A full publisher is not measured again for this long, because measuring reads the whole table. */
const publisherMeasureIntervalMs = 10_000

/** Creates a function that stores a group of messages with one statement and one commit, and returns a result for each. */
export function createMessageStore({
  database,
  clock,
  limits,
  bridgeClientId,
}: MessageStoreOptions): (group: readonly HashedMessage[]) => Promise<readonly StoreResult[]> {
  const table = createMessageTable({ database, clock })
  const filterByQuotas = createQuotaFilter({ table, clock, limits, bridgeClientId })

  return async (group) => {
    const firsts = new Map<string, HashedMessage>()
    for (const message of group) if (!firsts.has(message.key)) firsts.set(message.key, message)
    const messages = [...firsts.values()]
    const allowed = await filterByQuotas(messages)
    const stored = await table.insert(allowed)
    const duplicates = await table.findDuplicates(messages.filter(({ key }) => !stored.has(key)))
    // Expired duplicates were just deleted, so their messages can be inserted now.
    const storedAgain = await table.insert(allowed.filter(({ key }) => !stored.has(key) && !duplicates.has(key)))
    return group.map((message): StoreResult => {
      const row: RelayMessage | undefined = stored.get(message.key) ?? storedAgain.get(message.key)
      if (row === undefined) return { outcome: duplicates.has(message.key) ? 'duplicate' : 'full' }
      return firsts.get(message.key) === message ? { outcome: 'stored', message: row } : { outcome: 'duplicate' }
    })
  }
}

type QuotaFilterOptions = Omit<MessageStoreOptions, 'database'> & { table: MessageTable }

/** Creates a filter for the messages that the quotas of their topic and their publisher allow. */
function createQuotaFilter({
  table,
  clock,
  limits,
  bridgeClientId,
}: QuotaFilterOptions): (messages: readonly HashedMessage[]) => Promise<readonly HashedMessage[]> {
  const topicQuota = createStorageQuota({ limit: limits, measure: table.measureTopics })
  const publisherQuota = createStorageQuota({
    limit: { messages: Infinity, bytes: limits.bytesPerPublisher },
    measure: table.measurePublishers,
    remeasure: { milliseconds: publisherMeasureIntervalMs, clock },
  })

  return async (messages) => {
    const sized = messages.map((message) => ({ message, bytes: Buffer.byteLength(message.message) }))
    const onTopics = await topicQuota.reserve(sized.map(({ message, bytes }) => ({ key: message.topic, bytes })))
    const fitting = sized.filter((_, index) => onTopics[index] === true)
    const limited = fitting.filter(({ message }) => message.publisher !== bridgeClientId)
    const ofPublishers = await publisherQuota.reserve(
      limited.map(({ message, bytes }) => ({ key: message.publisher, bytes })),
    )
    const refused = new Set(limited.filter((_, index) => ofPublishers[index] !== true))
    return fitting.filter((item) => !refused.has(item)).map(({ message }) => message)
  }
}
