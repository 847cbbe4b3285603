import { isRecord } from '@latchkey/protocol'
import { rpcErrors, RpcError } from './rpcError.ts'
import type { FrameConfig } from '../frameConfig.ts'

/** Access to the networks through the deployment's RPC proxy, the only route that the frame uses. */
export type Chain = {
  /**
   * Sends a JSON-RPC request to a network.
   *
   * @param chainId CAIP-2 id of one of the deployment's networks
   * @throws RpcError 4902 for an unknown network; the node's own code and message; -32603 if no node responds
   */
  request(chainId: string, method: string, params: readonly unknown[], options?: ChainRequestOptions): Promise<unknown>
}

export type ChainRequestOptions = {
  readonly signal?: AbortSignal
  /** Default: 30 s. */
  readonly timeoutMs?: number
  /**
   * Service that handles the request: `bundler` and `paymaster` for ERC-4337, `wallet` for the server's wallet methods.
   * Default: `node`.
   */
  readonly of?: 'node' | 'bundler' | 'paymaster' | 'wallet'
}

export type ChainOptions = {
  readonly config: Pick<FrameConfig, 'server' | 'networks'>
  readonly projectId: string
  /** Default: `fetch`. */
  readonly load?: typeof fetch
}

const paths = { node: '/v1', bundler: '/v1/bundler', paymaster: '/v1/paymaster', wallet: '/v1/wallet' } as const
const timeoutMs = 30_000

/**
 * Creates the access to the networks. It ignores node addresses from the page [I-07].
 *
 * @returns a chain whose requests time out after 30 s
 * @example const chain = createChain({ config, projectId })
 * await chain.request('eip155:1', 'eth_blockNumber', [])
 */
export function createChain({ config, projectId, load = (input, init) => fetch(input, init) }: ChainOptions): Chain {
  let id = 0
  return {
    async request(chainId, method, params, { signal, timeoutMs: limit = timeoutMs, of = 'node' } = {}) {
      const network = config.networks.find((each) => each.chainId === chainId)
      if (network === undefined) throw rpcErrors.unknownNetwork(chainId)
      const query = new URLSearchParams({ chainId, projectId })
      const body = JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params })
      const given = signal === undefined ? [] : [signal]
      try {
        const response = await load(`${config.server}${paths[of]}?${query.toString()}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
          signal: AbortSignal.any([...given, AbortSignal.timeout(limit)]),
        })
        return parseRpcResponse(await response.json(), network.name)
      } catch (cause) {
        if (cause instanceof RpcError) throw cause
        throw rpcErrors.unreachable(network.name, cause)
      }
    },
  }
}

/** @throws RpcError with the node's code and message, or -32603 for an invalid response */
function parseRpcResponse(reply: unknown, network: string): unknown {
  if (!isRecord(reply)) throw rpcErrors.unreachable(network)
  const { error, result } = reply
  if (isRecord(error)) {
    const { code, message, data } = error
    const errorText = typeof message === 'string' ? message.slice(0, 400) : 'The network refused it.'
    throw new RpcError(typeof code === 'number' ? code : -32603, errorText, { data })
  }
  if (!('result' in reply)) throw rpcErrors.unreachable(network)
  return result
}
