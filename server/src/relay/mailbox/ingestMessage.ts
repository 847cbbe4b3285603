import type { MessageBroker } from '../delivery/messageBroker.ts'
import type { RelayObserver } from '../relayObserver.ts'
import type { Mailbox, NewRelayMessage, StoreResult } from './mailbox.ts'

/**
 * Stores a message that did not come from a client's connection, then delivers it to the subscribers of its topic.
 *
 * @returns the outcome, once the message would survive the loss of the process
 */
export type IngestMessage = (message: NewRelayMessage) => Promise<StoreResult['outcome']>

/** Creates the ingestion of a relay. */
export function createIngestMessage(
  mailbox: Mailbox,
  broker: MessageBroker,
  observer: Required<RelayObserver>,
): IngestMessage {
  return async (message) => {
    const stored = await mailbox.store(message)
    if (stored.outcome === 'stored') {
      observer.messageStored(stored.message)
      broker.broadcast(stored.message)
    }
    return stored.outcome
  }
}
