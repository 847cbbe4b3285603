import type { RelayError } from '../errors.ts'
import type { Receipt, RelayMessage } from '../mailbox/mailbox.ts'
import type { ClientSession } from '../connections/clientSession.ts'

/** The result or the error of a method, and what follows its response. */
export type MethodResponse = ({ result: unknown } | { error: RelayError }) & {
  /** Called when the response was sent. */
  after?: () => void
  /** The messages in the result, which are acknowledged when the client has the response, as far as the relay can know. */
  receipts?: readonly Receipt[]
}

/**
 * A method of the relay. Throws RelayError for requests that it refuses.
 *
 * @param requestId the digits of the request's id
 */
export type Method = (
  session: ClientSession,
  params: Record<string, unknown>,
  requestId: string,
) => MethodResponse | Promise<MethodResponse>

/** Formats a message for a client. Without an attestation, some clients would ask a vendor for one. */
export function formatMessage(session: Pick<ClientSession, 'attest'>, stored: RelayMessage): object {
  const { topic, message, publishedAt, tag } = stored
  return { topic, message, publishedAt, tag, attestation: session.attest(stored) }
}
