import { fetchFirst } from '@latchkey/adapter-kit'
import type { Clock } from '@latchkey/core'
import { getField, type Network, httpError } from '@latchkey/protocol'

/**
 * Sends a JSON-RPC request to the endpoints of a network in order until one responds.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export function requestPolkadotRpc(
  network: Network,
  method: string,
  params: readonly unknown[],
  clock: Clock | undefined,
): Promise<unknown> {
  return fetchFirst(network, clock, async (url, signal) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
    })
    const body: unknown = await response.json()
    const error = getField(body, 'error')
    if (response.ok && error === undefined) return getField(body, 'result')
    throw httpError('http/status', { status: response.status }, { cause: error })
  })
}
