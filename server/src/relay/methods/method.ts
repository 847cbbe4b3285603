import type { RelayError } from '../errors.ts'
import type { RelayMessage } from '../mailbox/mailbox.ts'
import type { ClientSession } from '../connections/clientSession.ts'

/** The result or the error of a method, and callbacks for after its response. */
export type MethodResponse = ({ result: unknown } | { error: RelayError }) & {
  /** Called when the response was sent. */
  after?: () => void
  /** Called when the client has the response, as far as the relay can know. */
  received?: () => void
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
