import type { FastifyBaseLogger } from 'fastify'
import type { Mailbox, MailboxPosition } from '../mailbox/mailbox.ts'
import type { MessageBroker } from './messageBroker.ts'

const pollIntervalMs = 5_000

/**
 * Polls the mailbox for unacknowledged messages, and makes the subscribers of their topics in this process read the mailbox.
 * Otherwise a message would wait for its receiver to reconnect if a process was killed between storing and broadcasting it,
 * or cut off from the others.
 *
 * @returns a function that stops polling
 */
export function pollUndelivered(mailbox: Mailbox, broker: MessageBroker, log: FastifyBaseLogger): () => void {
  let lastPosition: MailboxPosition | undefined
  let isPolling = false

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    try {
      const { topics, last } = await mailbox.findUnacknowledgedTopics(lastPosition)
      lastPosition = last
      broker.notifyGap(topics)
    } catch {
      log.warn('unacknowledged messages could not be read')
    } finally {
      isPolling = false
    }
  }

  const timer = setInterval(() => void poll(), pollIntervalMs)
  void poll()
  return () => clearInterval(timer)
}
