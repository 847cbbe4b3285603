import { invalidPayload, RelayError } from '../errors.ts'
import { formatError, formatResult, type RelayRequest } from './parseFrame.ts'
import { findMethod } from '../methods/index.ts'
import type { MethodResponse } from '../methods/method.ts'
import type { ClientSession } from './clientSession.ts'

/** The response to one request as text, and callbacks for after it was sent and for when the client has it. */
export type DispatchedResponse = { text: string } & Pick<MethodResponse, 'after' | 'received'>

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
    const response = await method(session, params, idToken)
    const { after, received } = response
    const text = 'error' in response ? formatError(idToken, response.error) : formatResult(idToken, response.result)
    return { text, after, received }
  } catch (error) {
    if (error instanceof RelayError) return { text: formatError(idToken, error) }
    onFault(error)
    return { text: formatError(idToken, new RelayError(-32603, 'Internal error', 'Unknown')) }
  }
}
