import type { Network } from '@latchkey/protocol'
import { isRecord } from '../../config.ts'
import { refusals, RpcError } from '../../rpcError.ts'

const patience = 8_000

/**
 * Asks the services of a network (Esplora), in their order.
 *
 * @throws RpcError with the reason of a service that refuses, -32603 when none answers.
 */
export async function askService(network: Network, path: string, body?: string): Promise<string> {
  let failure: unknown
  for (const url of network.rpcUrls.default.http) {
    try {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await fetch(`${url}/${path}`, { method, body, signal: AbortSignal.timeout(patience) })
      const text = await response.text()
      if (response.ok) return text
      failure = new RpcError(-32603, text.slice(0, 200))
      if (response.status === 400) break
    } catch (error) {
      failure = error
    }
  }
  throw failure instanceof RpcError ? failure : refusals.unreachable(network.name, failure)
}

/** What an address can spend: its outputs that nobody spent. */
export type Unspent = { txid: string; index: number; amount: bigint }

/** @throws RpcError when no service answers, or one answers with something else. */
export async function readUnspent(network: Network, address: string): Promise<readonly Unspent[]> {
  const listed: unknown = JSON.parse(await askService(network, `address/${address}/utxo`))
  if (!Array.isArray(listed)) throw refusals.unreachable(network.name, listed)
  return listed.map((item) => {
    const { txid, vout, value } = isRecord(item) ? item : {}
    if (typeof txid !== 'string' || typeof vout !== 'number' || typeof value !== 'number') {
      throw refusals.unreachable(network.name, item)
    }
    return { txid, index: vout, amount: BigInt(value) }
  })
}
