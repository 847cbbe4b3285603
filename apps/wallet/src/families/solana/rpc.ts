import type { Network } from '@latchkey/protocol'
import { isRecord } from '../../config.ts'
import { refusals, RpcError } from '../../rpcError.ts'

const patience = 8_000

/**
 * Asks a node of a Solana network, trying the endpoints in their order.
 *
 * @throws RpcError with the node's own code and reason, or -32603 when nothing answered.
 */
export async function askNetwork(network: Network, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  let failure: unknown
  for (const url of network.rpcUrls.default.http) {
    let answer: unknown
    try {
      const headers = { 'content-type': 'application/json' }
      answer = await (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(patience) })).json()
    } catch (error) {
      failure = error
      continue
    }
    return readAnswer(answer)
  }
  throw refusals.unreachable(network.name, failure)
}

/** What a node wraps into the slot that it is true of. */
export async function askValue(network: Network, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await askNetwork(network, method, params)
  return isRecord(answer) ? answer['value'] : undefined
}

function readAnswer(answer: unknown): unknown {
  if (!isRecord(answer)) throw new RpcError(-32603, 'The network gave no answer that makes sense.')
  const { error, result } = answer
  if (error === undefined || error === null) return result
  const { code, message, data } = isRecord(error) ? error : {}
  const logs = isRecord(data) && Array.isArray(data['logs']) ? data['logs'] : []
  const told = typeof message === 'string' ? message : 'The network refused it.'
  throw new RpcError(typeof code === 'number' ? code : -32603, sentence(told, logs))
}

/** The last thing that a program said by itself says more than the number of its error. */
export function sentence(told: string, logs: readonly unknown[]): string {
  const lines = logs.filter((line) => typeof line === 'string')
  const failed = lines.findLastIndex((line) => / failed: /.test(line))
  const before = failed < 1 ? '' : (lines[failed - 1] ?? '').replace(/^Program log: /, '')
  const text = before === '' || /^Program \w+ (invoke|consumed|success)/.test(before) ? told : before
  const short = text.slice(0, 200)
  return short.endsWith('.') ? short : `${short}.`
}
