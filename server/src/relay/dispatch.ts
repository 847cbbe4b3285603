import { invalidPayload, RelayError } from './errors.ts'
import { writeError, writeResult, type RelayRequest } from './frames.ts'
import { findMethod } from './methods/index.ts'
import type { Session } from './session.ts'

/** The answer to one request, as it goes over the wire, and what follows once it was sent. */
export type Answer = { text: string; after?: () => void }

/**
 * Answers one request of a client, whichever way it came.
 *
 * @param onFault is told of what is our own fault; the client is told that there was one
 */
export async function dispatch(
  session: Session,
  { idToken, method: name, params }: RelayRequest,
  onFault: (error: unknown) => void,
): Promise<Answer> {
  const method = findMethod(name)
  if (method === undefined) return { text: writeError(idToken, invalidPayload('InvalidMethod', 'unknown method')) }
  try {
    const { result, after } = await method(session, params, idToken)
    return { text: writeResult(idToken, result), after }
  } catch (error) {
    if (error instanceof RelayError) return { text: writeError(idToken, error) }
    onFault(error)
    return { text: writeError(idToken, new RelayError(-32603, 'Internal error', 'Unknown')) }
  }
}
