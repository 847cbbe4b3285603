import type { FastifyBaseLogger } from 'fastify'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import type { Mailbox, MailboxPosition, RelayMessage } from '../mailbox/mailbox.ts'
import type { ForwardResult } from './forwardMessage.ts'
import { createTopicQueues, type TopicQueues } from './topicQueues.ts'

/** The messages that are stored here and were not sent to the upstream relay. */
export type Outbox = {
  /** Sends a message that was just stored. */
  add(message: RelayMessage): void
  /** Continues on a new connection. */
  resume(): void
  /** Reads the mailbox for messages of earlier runs, and of processes that ended. */
  check(): void
  close(): Promise<void>
}

export type OutboxDependencies = {
  clientId: string
  mailbox: Pick<Mailbox, 'listAllUndelivered' | 'acknowledge'>
  forward(message: RelayMessage): Promise<ForwardResult>
  log: FastifyBaseLogger
}

/**
 * Creates the outbox. The bridge is a client of the mailbox: a message that it has not acknowledged was not accepted
 * upstream, even if this process ends. So nothing must be persisted here, and messages that do not fit are read again.
 */
export function createOutbox({ clientId, mailbox, forward, log }: OutboxDependencies): Outbox {
  const queues = createTopicQueues(async (message) => {
    const result = await forward(message)
    // If the acknowledgement is lost, the message is sent again, and the upstream relay ignores the duplicate.
    if (result === 'done') mailbox.acknowledge(message, clientId).catch(onFault)
    return result
  })
  const reader = createMailboxReader({ clientId, mailbox, queues, onFault })

  function onFault(error: unknown): void {
    log.error({ reason: errorMessage(error) }, 'bridge fault')
  }

  return {
    add(message) {
      if (reader.isUpToDate() && queues.hasRoom()) queues.add(message)
      else reader.start()
    },
    resume: () => queues.resume(),
    check: reader.check,
    async close() {
      reader.stop()
      await queues.close()
      await reader.finished()
    },
  }
}

type MailboxReader = {
  /** True if new messages can be sent at once. Otherwise they are read from the mailbox, in their order. */
  isUpToDate(): boolean
  start(): void
  /** Reads again everything that was not known to be complete at the previous check. */
  check(): void
  stop(): void
  finished(): Promise<void>
}

type MailboxReaderDependencies = Pick<OutboxDependencies, 'clientId' | 'mailbox'> & {
  queues: TopicQueues
  onFault(error: unknown): void
}

/** Reads undelivered messages from the mailbox into the queues. */
function createMailboxReader({ clientId, mailbox, queues, onFault }: MailboxReaderDependencies): MailboxReader {
  let state: 'behind' | 'reading' | 'up to date' = 'behind'
  let reading = Promise.resolve()
  let isStopped = false
  /** Messages were stored while the mailbox was read. */
  let mustReadAgain = false
  /** All messages up to this position were read. */
  let settledPosition: MailboxPosition = 0
  let lastPosition: MailboxPosition = 0
  /** The last position at this check and at the one before. */
  let checked: { before: MailboxPosition; now: MailboxPosition } = { before: 0, now: 0 }

  async function read(): Promise<void> {
    // Processes commit in any order: only what was known one check ago is complete by now.
    const complete = checked.before
    state = 'reading'
    try {
      await readFrom(settledPosition)
      settledPosition = complete
      state = 'up to date'
    } catch (error) {
      state = 'behind'
      onFault(error)
    }
  }

  async function readFrom(start: MailboxPosition): Promise<void> {
    let after = start
    do {
      mustReadAgain = false
      await queues.waitForRoom()
      if (isStopped) return
      const { messages, hasMore, position } = await mailbox.listAllUndelivered(clientId, after)
      for (const message of messages) queues.add(message)
      after = position
      mustReadAgain ||= hasMore
    } while (mustReadAgain)
    lastPosition = after
  }

  function start(): void {
    mustReadAgain = true
    if (state !== 'reading') reading = read()
  }

  return {
    isUpToDate: () => state === 'up to date',
    start,
    check() {
      checked = { before: checked.now, now: lastPosition }
      start()
    },
    stop() {
      isStopped = true
    },
    finished: () => reading,
  }
}
