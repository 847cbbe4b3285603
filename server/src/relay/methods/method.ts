import type { StoredMessage } from '../mailbox.ts'
import type { Session } from '../session.ts'

/** What a method answers, and what follows once the client has the answer. */
export type MethodAnswer = { result: unknown; after?: () => void }

/**
 * One method of the relay. It throws RelayError for what it refuses.
 *
 * @param requestId the digits of the request's id, by which a client repeats a request
 */
export type Method = (
  session: Session,
  params: Record<string, unknown>,
  requestId: string,
) => MethodAnswer | Promise<MethodAnswer>

/** A delivery as clients read it. An absent attestation would make some of them ask a vendor. */
export function writeMessage(session: Pick<Session, 'attest'>, stored: StoredMessage): object {
  const { topic, message, publishedAt, tag } = stored
  return { topic, message, publishedAt, tag, attestation: session.attest(stored) }
}
