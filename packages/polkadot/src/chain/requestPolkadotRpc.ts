import { fetchFirst } from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import { getField, type Network, httpError } from '@latchkey/protocol'

/** A network with the clock that times its requests. */
export type Chain = { readonly network: Network; readonly clock: Clock | undefined }

/** A JSON-RPC request and the parser of its result. */
export type RpcRequest<result> = {
  readonly method: string
  readonly params: readonly unknown[]
  /** Throws if the result is invalid. The next endpoint is tried then. */
  parse(result: unknown): result
}

/** Longer responses are not read, in bytes. The largest blocks and metadata have 10 MB in hex. */
const longestResponse = 24_000_000

/**
 * Sends a JSON-RPC request to the endpoints of a network in order until one sends a valid response.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export function requestPolkadotRpc<result>(
  { network, clock }: Chain,
  { method, params, parse }: RpcRequest<result>,
): Promise<result> {
  return fetchFirst(network, clock, async (url, signal) => {
    const { status, body } = await postRpc(url, { method, params }, signal)
    const error = getField(body, 'error')
    if (status === 200 && error === undefined) return parse(getField(body, 'result'))
    throw httpError('http/status', { status }, { cause: error })
  })
}

/** Sends a JSON-RPC request to one endpoint. Throws if the response is not JSON or too long. */
export async function postRpc(
  url: string,
  request: { readonly method: string; readonly params: readonly unknown[] },
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
    signal,
  })
  const body: unknown = JSON.parse(await readText(response))
  return { status: response.status, body }
}

async function readText({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let [text, length] = ['', 0]
  for (;;) {
    const { value } = (await reader?.read()) ?? {}
    if (value === undefined) return text + decoder.decode()
    length += value.length
    if (length > longestResponse) {
      await reader?.cancel()
      throw new Error(`The response has more than ${longestResponse} bytes.`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
