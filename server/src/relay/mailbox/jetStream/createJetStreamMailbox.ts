import type { Nats } from '../../../kit/nats/connectNats.ts'
import { createAgedGroups } from '../../../kit/runtime/agedGroups.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { MailboxLimits } from '../../limits/admitMessages.ts'
import { hashReceiver } from '../acknowledgements.ts'
import type { Mailbox } from '../mailbox.ts'
import { createLeaderWatch } from './createLeaderWatch.ts'
import { createExpirySweep } from './expirySweep.ts'
import { createMessageAppends } from './messageAppends.ts'
import type { Partition, Partitions } from './openPartitions.ts'
import { createPublisherQuotas } from './publisherQuotas.ts'
import { createReceiptLog } from './receiptLog.ts'
import { createTopicLogs } from './topicLogs.ts'
import { createTopicReads, type TopicRead } from './topicReads.ts'
import { createUnacknowledgedSearch } from './unacknowledgedSearch.ts'

export type JetStreamMailboxOptions = {
  nats: Pick<Nats, 'isConnected'>
  partitions: Partitions
  clock: Clock
  limits: MailboxLimits
  /** The bridge's client. It publishes for many clients, and its acknowledgement does not mean that a subscriber has a message. */
  bridgeClientId?: string | undefined
}

/** Topics that are read at the same time, so that clients that catch up leave room for publishers. */
const sharedReads = { group: 16, concurrent: 2 } as const

/**
 * Creates the mailbox in JetStream, the message log of NATS: a message is an entry on the subject of its topic, and so are
 * the receipts of its receivers. Any number of processes may share it.
 */
export function createJetStreamMailbox(options: JetStreamMailboxOptions): Mailbox {
  const { nats, partitions, clock, limits, bridgeClientId = '' } = options
  const logs = createTopicLogs(partitions)
  const quotas = createPublisherQuotas({ ...partitions, clock, bytesPerPublisher: limits.bytesPerPublisher })
  const receipts = createReceiptLog({ partitions, logs, quotas })
  const appends = createMessageAppends({
    partitions,
    logs,
    quotas,
    clock,
    limits,
    bridgeClientId,
    isConnected: nats.isConnected,
  })
  const reads = createTopicReads({ partitions, logs, clock, flush: receipts.flush })
  const shared = createAgedGroups((group: readonly TopicRead[]) => Promise.all(group.map(reads.readTopic)), sharedReads)
  const renumbered = new Set<(isAffected: (topic: string) => boolean) => void>()
  const leaders = createLeaderWatch((partition: Partition) => {
    logs.forgetPartition(partition)
    for (const listener of renumbered) listener((topic) => partitions.ofTopic(topic) === partition)
  })
  const search = createUnacknowledgedSearch({
    partitions,
    leaders,
    clock,
    bridgeReceiver: hashReceiver(bridgeClientId),
  })
  const sweep = createExpirySweep({ partitions, clock })

  return {
    store: appends.store,
    listUndelivered: (topic, client, after, since = clock.now()) => shared.add({ topic, client, after }, since),
    listUndeliveredOnTopics: reads.readTopics,
    listAllUndelivered: reads.readAll,
    filterUndelivered: reads.filterReceipts,
    findUnacknowledgedTopics: search.find,
    acknowledge: (receipt, client) => receipts.add(receipt, hashReceiver(client)),
    deleteExpired: sweep.run,
    onRenumbered: (listener) => void renumbered.add(listener),
    async idle() {
      await appends.idle()
      await receipts.idle()
      await quotas.flush()
    },
  }
}
