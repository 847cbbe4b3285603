import type { ClientSession, PublishedMessage } from '../connections/clientSession.ts'
import { RelayError } from '../errors.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'

/** The messages to broadcast, and the first refusal. */
export type PublishResults = { stored: readonly (RelayMessage | undefined)[]; error: RelayError | undefined }

/**
 * Publishes several messages. Stored ones must be broadcast even if others are refused, because their subscribers would
 * wait for them.
 */
export async function publishAll(
  session: Pick<ClientSession, 'publish'>,
  messages: readonly PublishedMessage[],
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
