import type { ClientSession } from '../connections/clientSession.ts'
import { RelayError } from '../errors.ts'
import type { NewRelayMessage, RelayMessage } from '../mailbox/mailbox.ts'

/** A message as a client sends it. The publisher and its origin are known from the connection. */
export type PublishParams = Omit<NewRelayMessage, 'publisher' | 'origin'>

/** The messages to broadcast, and the first refusal. */
export type PublishResults = { stored: readonly (RelayMessage | undefined)[]; error: RelayError | undefined }

/**
 * Publishes several messages. Stored ones must be broadcast even if others are refused, because their subscribers would
 * wait for them.
 */
export async function publishAll(
  session: Pick<ClientSession, 'publish'>,
  messages: readonly PublishParams[],
): Promise<PublishResults> {
  const results = await Promise.allSettled(messages.map((message) => session.publish(message)))
  const reasons = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []))
  const fault = reasons.find((reason) => !(reason instanceof RelayError))
  if (fault !== undefined) throw fault
  return {
    stored: results.map((result) => (result.status === 'fulfilled' ? result.value : undefined)),
    error: reasons.find((reason) => reason instanceof RelayError),
  }
}
