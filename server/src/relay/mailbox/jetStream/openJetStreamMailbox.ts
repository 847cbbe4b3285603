import type { FastifyBaseLogger } from 'fastify'
import { connectNats } from '../../../kit/nats/connectNats.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { RelayLimits } from '../../relayVariables.ts'
import type { RelayStore } from '../../storeVariables.ts'
import type { Mailbox } from '../mailbox.ts'
import { createJetStreamMailbox } from './createJetStreamMailbox.ts'
import { openPartitions } from './openPartitions.ts'

export type OpenJetStreamMailboxOptions = {
  store: RelayStore
  clock: Clock
  log: FastifyBaseLogger
  limits: Pick<RelayLimits, 'mailbox' | 'maxTtl' | 'messageBytes'>
  bridgeClientId: string | undefined
}

/** Bytes of an entry in addition to the text of its message: its headers, its attestation, and escapes of JSON. */
const envelopeBytes = 16 * 1024

/**
 * Connects to NATS, and opens the mailbox in its streams.
 *
 * @throws Error with a sentence if NATS can't be reached, or can't take the largest message of the relay
 */
export async function openJetStreamMailbox(
  options: OpenJetStreamMailboxOptions,
): Promise<{ mailbox: Mailbox; close(): Promise<void> }> {
  const { store, clock, log, limits, bridgeClientId } = options
  const { maxTtl, messageBytes } = limits
  const nats = await connectNats({ url: store.url, log })
  try {
    const largest = Math.max(messageBytes.others, ...messageBytes.byTag.values()) + envelopeBytes
    const maxPayload = nats.connection.info?.max_payload ?? 0
    if (maxPayload < largest) {
      throw new Error(
        `NATS accepts ${maxPayload} bytes: set its max_payload to ${largest}, or lower RELAY_MESSAGE_BYTES.`,
      )
    }
    const replicas = store.replicas ?? (nats.isClustered() ? 3 : 1)
    const partitions = await openPartitions({ nats, name: store.name, replicas, maxTtl })
    const mailbox = createJetStreamMailbox({ nats, partitions, clock, limits: limits.mailbox, bridgeClientId })
    return { mailbox, close: nats.close }
  } catch (error) {
    await nats.close()
    throw error
  }
}
