import { isRecord, type Network } from '@latchkey/protocol'
import { rpcErrors, RpcError } from '../../rpcError.ts'

const timeoutMs = 8_000

/**
 * Sends a request to the network's Esplora endpoints, in order, until one responds.
 *
 * @throws RpcError with the endpoint's reason if it rejects the request, -32603 if no endpoint responds
 */
export async function requestEsplora(network: Network, path: string, body?: string): Promise<string> {
  let failure: unknown
  for (const url of network.rpcUrls.default.http) {
    try {
      const method = body === undefined ? 'GET' : 'POST'
      const response = await fetch(`${url}/${path}`, { method, body, signal: AbortSignal.timeout(timeoutMs) })
      const text = await response.text()
      if (response.ok) return text
      failure = new RpcError(-32603, text.slice(0, 200))
      if (response.status === 400) break
    } catch (error) {
      failure = error
    }
  }
  throw failure instanceof RpcError ? failure : rpcErrors.unreachable(network.name, failure)
}

/** An unspent output of an address. */
export type UnspentOutput = { txid: string; index: number; amount: bigint }

/** @throws RpcError if no endpoint responds or the response is invalid */
export async function listUnspentOutputs(network: Network, address: string): Promise<readonly UnspentOutput[]> {
  const listed: unknown = JSON.parse(await requestEsplora(network, `address/${address}/utxo`))
  if (!Array.isArray(listed)) throw rpcErrors.unreachable(network.name, listed)
  return listed.map((item) => {
    const { txid, vout, value } = isRecord(item) ? item : {}
    if (typeof txid !== 'string' || typeof vout !== 'number' || typeof value !== 'number') {
      throw rpcErrors.unreachable(network.name, item)
    }
    return { txid, index: vout, amount: BigInt(value) }
  })
}
