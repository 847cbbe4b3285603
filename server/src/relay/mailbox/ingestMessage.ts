import type { MessageBroker } from '../delivery/messageBroker.ts'
import { RelayError } from '../errors.ts'
import type { StorageCeilings } from '../limits/storageCeilings.ts'
import type { RelayObserver } from '../relayObserver.ts'
import { promptTags } from '../promptTags.ts'
import type { Mailbox, NewRelayMessage, StoreResult } from './mailbox.ts'

/**
 * Stores a message that did not come from a client's connection, then delivers it to the subscribers of its topic.
 *
 * @returns the outcome, once the message would survive the loss of the process
 */
export type IngestMessage = (message: NewRelayMessage) => Promise<StoreResult['outcome']>

export type IngestDependencies = {
  mailbox: Mailbox
  ceilings: Pick<StorageCeilings, 'reserve'>
  broker: MessageBroker
  observer: Required<RelayObserver>
}

/** Creates the ingestion of a relay. */
export function createIngestMessage({ mailbox, ceilings, broker, observer }: IngestDependencies): IngestMessage {
  return async (message) => {
    const release = tryReserve(ceilings, message)
    if (release === undefined) return 'full'
    const stored = await mailbox.store(message).catch((error: unknown) => {
      release()
      throw error
    })
    if (stored.outcome !== 'stored') release()
    if (stored.outcome === 'stored') {
      observer.messageStored(stored.message, promptTags.includes(message.tag))
      broker.broadcast(stored.message)
    }
    return stored.outcome
  }
}

/** Reserves the bytes of a message without an address. Returns nothing if there is no room. */
function tryReserve(
  ceilings: IngestDependencies['ceilings'],
  { message, attestation, ttl }: NewRelayMessage,
): (() => void) | undefined {
  try {
    return ceilings.reserve(
      { address: '', project: '' },
      Buffer.byteLength(message) + Buffer.byteLength(attestation),
      ttl,
    )
  } catch (error) {
    if (error instanceof RelayError) return undefined
    throw error
  }
}
