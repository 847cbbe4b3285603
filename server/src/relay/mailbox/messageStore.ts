import type { Database } from '../../kit/database/database.ts'
import { createBatch, type BatchLimits } from '../../kit/runtime/batch.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Tracing } from '../../kit/tracing/tracing.ts'
import { admitMessages, type MailboxLimits, type QuotaDecision, type StoredUsage } from '../limits/admitMessages.ts'
import type { MessageCounter } from './createMessageCounter.ts'
import { createExpiringQuotas, type ExpiringQuotas, type Quota } from './expiringQuotas.ts'
import type { NewRelayMessage, RelayMessage, StoreResult } from './mailbox.ts'
import { hashMessage, type HashedMessage } from './messageKey.ts'
import { createMessageTable } from './messageTable.ts'
import { readUsage } from './readUsage.ts'
import type { UncountedMessages } from './uncountedMessages.ts'
import type { UsageEstimates } from './usageEstimates.ts'

export type MessageStoreOptions = {
  database: Database
  clock: Clock
  limits: MailboxLimits
  /** The bridge publishes for many clients, so the limit per publisher does not apply to it. */
  bridgeClientId?: string | undefined
  counter: Pick<MessageCounter, 'countSoon' | 'count'>
  uncounted: UncountedMessages
  estimates: UsageEstimates
  /** Traces the statement of a group with its first message. */
  tracing?: Pick<Tracing, 'capture'> | undefined
}

/** Stores messages in groups, one group at a time. */
export type MessageStore = {
  store(message: NewRelayMessage): Promise<StoreResult>
  /** Resolves when everything added so far is done. */
  idle(): Promise<void>
}

/** A message in the queue. `isRetry` if the expired messages of its full quota were deleted before. */
type Item = { message: HashedMessage; isRetry: boolean }
/** `waiting` if the message must be stored again, after the expired messages of its topic or publisher were deleted. */
type ItemResult = StoreResult | 'waiting'

/** Bytes of a message in memory in addition to its text. */
const itemBytes = 1_000
const groups: BatchLimits<Item> = {
  group: 500,
  queue: 20_000,
  gather: 5,
  startsAtOnce: true,
  // The queue bounds the memory while the database stalls. Beyond it, publishes are refused.
  bytes: {
    group: 8 * 1024 * 1024,
    queue: 48 * 1024 * 1024,
    of: ({ message }) => message.bytes + Buffer.byteLength(message.attestation) + itemBytes,
  },
}

/** Creates the store of a mailbox. A group takes one statement and one commit, and nothing in it measures messages. */
export function createMessageStore(options: MessageStoreOptions): MessageStore {
  const expiring = createExpiringQuotas(options, (message) => add({ message, isRetry: true }))
  const { tracing } = options
  const limits = tracing === undefined ? groups : { ...groups, capture: tracing.capture }
  const batch = createBatch<Item, ItemResult>(createGroupStore(options, expiring), limits)

  async function add(item: Item): Promise<StoreResult> {
    const result = await batch.add(item)
    if (result !== 'waiting') return result
    return item.isRetry ? { outcome: 'full' } : expiring.wait(item.message)
  }

  return {
    store: (message) => add({ message: hashMessage(message), isRetry: false }),
    async idle() {
      do {
        await batch.idle()
        await expiring.idle()
      } while (expiring.isBusy())
    },
  }
}

/** Creates a function that stores a group of messages, and returns a result for each. */
function createGroupStore(
  options: MessageStoreOptions,
  expiring: ExpiringQuotas,
): (group: readonly Item[]) => Promise<readonly ItemResult[]> {
  const table = createMessageTable(options)
  const decide = createDecisions(options, expiring)

  return async (group) => {
    const firsts = new Map<string, Item>()
    for (const item of group) if (!firsts.has(item.message.key)) firsts.set(item.message.key, item)
    const items = [...firsts.values()]
    const { admitted, waiting } = await decide(items)
    const stored = await table.insert(admitted)
    const duplicates = await table.findDuplicates(
      items.map(({ message }) => message).filter(({ key }) => !stored.has(key)),
    )
    // Expired duplicates were just deleted, so their messages can be inserted now.
    const storedAgain = await table.insert(admitted.filter(({ key }) => !stored.has(key) && !duplicates.has(key)))
    for (const { key, bytes } of admitted) {
      const row = stored.get(key) ?? storedAgain.get(key)
      if (row === undefined) continue
      const { topic, publisher, expiresAt } = row
      const counted = { topic, publisher, expiresAt, bytes }
      options.uncounted.add(row.sequence, counted)
      options.estimates.add(counted)
      options.counter.countSoon(row.sequence)
    }
    return group.map((item): ItemResult => {
      const { key } = item.message
      const row: RelayMessage | undefined = stored.get(key) ?? storedAgain.get(key)
      if (row !== undefined && firsts.get(key) === item) return { outcome: 'stored', message: row }
      if (row !== undefined || duplicates.has(key)) return { outcome: 'duplicate' }
      return waiting.has(key) ? 'waiting' : { outcome: 'full' }
    })
  }
}

type Decisions = { admitted: readonly HashedMessage[]; waiting: ReadonlySet<string> }

/** Creates a function that decides which messages of a group the quotas allow. */
function createDecisions(
  options: MessageStoreOptions,
  expiring: ExpiringQuotas,
): (items: readonly Item[]) => Promise<Decisions> {
  const { clock, limits, bridgeClientId, estimates } = options

  return async (items) => {
    const messages = items.map(({ message }) => message)
    // A limit that can't be read now must not stop the messages of all clients.
    await updateEstimates(options, estimates.findOutdated(messages)).catch(() => undefined)
    const usage = estimates.read(messages)
    const waiting = new Set<string>()
    const mustWait = ({ message, isRetry }: Item): boolean => !isRetry && expiring.has(message)
    const free = items.filter((item) => !mustWait(item))
    const decisions = admitMessages(
      free.map(({ message }) => message),
      usage,
      limits,
      bridgeClientId,
    )
    const admitted: HashedMessage[] = []
    free.forEach((item, index) => {
      const quota = item.isRetry ? undefined : findExpired(item.message, decisions[index], usage, clock.now())
      if (quota !== undefined) expiring.add(quota)
      if (decisions[index] === 'admitted' && !mustWait(item)) admitted.push(item.message)
    })
    for (const item of items) if (mustWait(item)) waiting.add(item.message.key)
    return { admitted, waiting }
  }
}

/** Reads the usage of the topics and publishers of messages. */
async function updateEstimates(
  { database, uncounted, estimates }: MessageStoreOptions,
  messages: readonly HashedMessage[],
): Promise<void> {
  if (messages.length === 0) return
  const counted = await readUsage(database, messages)
  uncounted.removeCounted(counted.countedUntil)
  estimates.update(messages, uncounted.addTo(counted, messages))
}

/** Finds the full quota of a refused message if some of the messages that fill it may have expired. */
function findExpired(
  { topic, publisher }: HashedMessage,
  decision: QuotaDecision | undefined,
  { topics, publishers }: StoredUsage,
  now: number,
): Quota | undefined {
  if (decision === 'topic full') {
    return (topics.get(topic)?.expiresAt ?? Infinity) <= now ? { kind: 'topic', key: topic } : undefined
  }
  if (decision === 'publisher full') {
    return (publishers.get(publisher)?.expiresAt ?? Infinity) <= now ? { kind: 'publisher', key: publisher } : undefined
  }
  return undefined
}
