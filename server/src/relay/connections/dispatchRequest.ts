import { invalidPayload, RelayError } from '../errors.ts'
import { formatError, formatResult, type RelayRequest } from './parseFrame.ts'
import { findMethod } from '../methods/index.ts'
import type { MethodResponse } from '../methods/method.ts'
import type { RelayMetrics } from '../relayMetrics.ts'
import type { ClientSession } from './clientSession.ts'

/** The response to one request as text, and what follows it. */
export type DispatchedResponse = { text: string } & Pick<MethodResponse, 'after' | 'receipts'>

/**
 * Runs the method of one request, from a websocket or over HTTP.
 *
 * @param onFault called with unexpected errors; the client only learns that there was one
 * @param countRequest called with the method and the error of the response, if it has one
 */
export async function dispatchRequest(
  session: ClientSession,
  { idToken, method: name, params }: RelayRequest,
  onFault: (error: unknown) => void,
  countRequest: RelayMetrics['countRequest'] = () => undefined,
): Promise<DispatchedResponse> {
  function refuse(error: RelayError): DispatchedResponse {
    countRequest(name, error)
    return { text: formatError(idToken, error) }
  }

  const method = findMethod(name)
  if (method === undefined) return refuse(invalidPayload('InvalidMethod', 'unknown method'))
  try {
    const response = await method(session, params, idToken)
    const { after, receipts } = response
    countRequest(name, 'error' in response ? response.error : undefined)
    const text = 'error' in response ? formatError(idToken, response.error) : formatResult(idToken, response.result)
    return { text, after, receipts }
  } catch (error) {
    if (error instanceof RelayError) return refuse(error)
    onFault(error)
    return refuse(new RelayError(-32603, 'Internal error', 'Unknown'))
  }
}
