import { RpcError } from './rpcError.ts'

/**
 * Asks a chain's RPC endpoint and passes its answer on unread, as an extension does with the calls it does not handle.
 *
 * @throws RpcError with the node's own code, or -32603 when the node does not answer.
 */
export async function askChain(url: string, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    .then(async (response): Promise<unknown> => response.json())
    .catch((cause: unknown) => {
      throw new RpcError(-32603, 'Failed to fetch', { cause: String(cause) })
    })
  if (isRecord(answer) && 'result' in answer) return answer['result']
  const { code, message, data } = isRecord(answer) && isRecord(answer['error']) ? answer['error'] : {}
  throw new RpcError(
    typeof code === 'number' ? code : -32603,
    typeof message === 'string' ? message : 'No answer',
    data,
  )
}

/** How long a development chain may take to mine what it was sent. */
const miningTries = 500
const miningPause = 20

/**
 * Waits for the receipt of a transaction: nodes answer before they mine.
 *
 * @throws RpcError -32603 when it is not mined within ten seconds.
 */
export async function minedReceipt(url: string, hash: string): Promise<Record<string, unknown>> {
  for (let count = 0; count < miningTries; count += 1) {
    const receipt = await askChain(url, 'eth_getTransactionReceipt', [hash])
    if (isRecord(receipt)) return receipt
    await new Promise((resolve) => setTimeout(resolve, miningPause))
  }
  throw new RpcError(-32603, `The transaction ${hash} is not mined.`)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
