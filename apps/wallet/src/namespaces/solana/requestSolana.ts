import { isRecord, type Network } from '@latchkey/protocol'
import { rpcErrors, RpcError } from '../../rpcError.ts'

const timeoutMs = 8_000

/**
 * Sends a JSON-RPC request to a Solana network. Tries the endpoints in order.
 *
 * @throws RpcError with the node's own code and reason, or -32603 if no endpoint responds
 */
export async function requestSolana(network: Network, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  let failure: unknown
  for (const url of network.rpcUrls.default.http) {
    let response: unknown
    try {
      const headers = { 'content-type': 'application/json' }
      response = await (
        await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) })
      ).json()
    } catch (error) {
      failure = error
      continue
    }
    return parseResponse(response)
  }
  throw rpcErrors.unreachable(network.name, failure)
}

/** Sends a request whose result carries its slot, and returns the result's `value`. */
export async function requestSolanaValue(
  network: Network,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const reply = await requestSolana(network, method, params)
  return isRecord(reply) ? reply['value'] : undefined
}

function parseResponse(received: unknown): unknown {
  if (!isRecord(received)) throw new RpcError(-32603, 'The network sent an invalid response.')
  const { error, result } = received
  if (error === undefined || error === null) return result
  const { code, message, data } = isRecord(error) ? error : {}
  const logs = isRecord(data) && Array.isArray(data['logs']) ? data['logs'] : []
  const sent = typeof message === 'string' ? message : 'The network rejected the request.'
  throw new RpcError(typeof code === 'number' ? code : -32603, describeFailure(sent, logs))
}

/** Describes a failure by the program's last log line, which says more than its error number. */
export function describeFailure(sent: string, logs: readonly unknown[]): string {
  const lines = logs.filter((line) => typeof line === 'string')
  const failed = lines.findLastIndex((line) => / failed: /.test(line))
  const before = failed < 1 ? '' : (lines[failed - 1] ?? '').replace(/^Program log: /, '')
  const text = before === '' || /^Program \w+ (invoke|consumed|success)/.test(before) ? sent : before
  const short = text.slice(0, 200)
  return short.endsWith('.') ? short : `${short}.`
}
