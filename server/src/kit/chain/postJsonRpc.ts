import { getField } from '../runtime/getField.ts'

/** No endpoint of a chain responded. */
export class NoEndpointError extends Error {
  override readonly name: string = 'NoEndpointError'
}

const defaultTimeoutMs = 10_000
const maxResponseBytes = 10 * 1024 * 1024
/** Error codes that blame the endpoint, not the request: another endpoint may succeed. */
const endpointFaultCodes: readonly unknown[] = [-32005, -32603, 429]

/**
 * Sends one JSON-RPC request, or a batch, to an endpoint.
 *
 * @param deadline aborts the request
 * @param timeoutMs how long this endpoint may take
 * @throws Error if it does not respond in time, or not to this request
 */
export async function postJsonRpc(
  url: string,
  body: unknown,
  deadline: AbortSignal,
  timeoutMs = defaultTimeoutMs,
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.any([deadline, AbortSignal.timeout(timeoutMs)]),
  })
  if (response.status >= 500 || response.status === 429) {
    await response.body?.cancel()
    throw new Error(`The endpoint responded with status ${response.status}.`)
  }
  const parsed: unknown = JSON.parse(await readLimitedText(response))
  if (!isResponseTo(parsed, body)) throw new Error('The endpoint responded to a different request.')
  return parsed
}

/** True if a response blames the endpoint, not the request. */
export function isEndpointFault(response: unknown): boolean {
  return endpointFaultCodes.includes(getField(response, 'error', 'code'))
}

async function readLimitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxResponseBytes) throw new Error('The response of the endpoint is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function isResponseTo(response: unknown, request: unknown): boolean {
  if (Array.isArray(request)) return Array.isArray(response)
  if (getField(response, 'result') === undefined && getField(response, 'error') === undefined) return false
  const id = getField(response, 'id')
  // A node that could not parse the id responds with null.
  return id === getField(request, 'id') || id === null
}
