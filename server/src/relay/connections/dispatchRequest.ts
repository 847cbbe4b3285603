import { invalidPayload, RelayError } from '../errors.ts'
import { formatError, formatResult, type RelayRequest } from './parseFrame.ts'
import { findMethod } from '../methods/index.ts'
import type { ClientSession } from './clientSession.ts'

/** The response to one request as text, and a callback for after it was sent. */
export type DispatchedResponse = { text: string; after?: () => void }

/**
 * Runs the method of one request, from a websocket or over HTTP.
 *
 * @param onFault called with unexpected errors; the client only learns that there was one
 */
export async function dispatchRequest(
  session: ClientSession,
  { idToken, method: name, params }: RelayRequest,
  onFault: (error: unknown) => void,
): Promise<DispatchedResponse> {
  const method = findMethod(name)
  if (method === undefined) return { text: formatError(idToken, invalidPayload('InvalidMethod', 'unknown method')) }
  try {
    const { result, after } = await method(session, params, idToken)
    return { text: formatResult(idToken, result), after }
  } catch (error) {
    if (error instanceof RelayError) return { text: formatError(idToken, error) }
    onFault(error)
    return { text: formatError(idToken, new RelayError(-32603, 'Internal error', 'Unknown')) }
  }
}
