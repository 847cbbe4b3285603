import { isRecord } from '@latchkey/protocol'
import { RpcError } from '../rpcError.ts'

/**
 * Sends a JSON-RPC request to a chain and returns the unparsed result, as an extension does with calls it does not handle.
 *
 * @throws RpcError with the node's error code, or -32603 if the node does not respond
 * @example const chainId = await requestChain(rpcUrl, 'eth_chainId', [])
 */
export async function requestChain(url: string, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] })
  const parsed = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    .then(async (response): Promise<unknown> => response.json())
    .catch((cause: unknown) => {
      throw new RpcError(-32603, 'Failed to fetch', { cause: String(cause) })
    })
  if (isRecord(parsed) && 'result' in parsed) return parsed['result']
  const { code, message, data } = isRecord(parsed) && isRecord(parsed['error']) ? parsed['error'] : {}
  throw new RpcError(
    typeof code === 'number' ? code : -32603,
    typeof message === 'string' ? message : 'No response',
    data,
  )
}

/** A development chain must mine a transaction within 500 × 20 ms. */
const miningTries = 500
const miningPause = 20

/**
 * Waits for the receipt of a transaction, because nodes respond before they mine.
 *
 * @throws RpcError -32603 if it is not mined within ten seconds
 */
export async function waitForReceipt(url: string, hash: string): Promise<Record<string, unknown>> {
  for (let count = 0; count < miningTries; count += 1) {
    const receipt = await requestChain(url, 'eth_getTransactionReceipt', [hash])
    if (isRecord(receipt)) return receipt
    await new Promise((resolve) => setTimeout(resolve, miningPause))
  }
  throw new RpcError(-32603, `The transaction ${hash} is not mined.`)
}
