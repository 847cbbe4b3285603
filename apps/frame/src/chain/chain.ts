import { isRecord } from '../services/ask.ts'
import { refusals, RpcError } from './rpcError.ts'
import type { FrameConfig } from '../config.ts'

/** The networks, by the one way that the frame knows to them: the deployment's proxy. */
export type Chain = {
  /**
   * Asks a node of a network.
   *
   * @param chainId CAIP-2, one of the deployment's
   * @throws RpcError 4902 for a network that is none of these; the node's own code and words; -32603 when nobody answers
   */
  ask(chainId: string, method: string, params: readonly unknown[], options?: AskOptions): Promise<unknown>
}

export type AskOptions = {
  readonly signal?: AbortSignal
  /** Milliseconds; 30 s when left out. */
  readonly patience?: number
  /** `bundler` and `paymaster` for what ERC-4337 adds, `wallet` for what the server answers in a wallet's place. */
  readonly of?: 'node' | 'bundler' | 'paymaster' | 'wallet'
}

export type ChainParts = {
  readonly config: Pick<FrameConfig, 'server' | 'networks'>
  readonly projectId: string
  /** The platform's when left out. */
  readonly load?: typeof fetch
}

const paths = { node: '/v1', bundler: '/v1/bundler', paymaster: '/v1/paymaster', wallet: '/v1/wallet' } as const
const patience = 30_000

/**
 * Makes the way to the networks. Whatever a page says of addresses of nodes is never heard [I-07].
 *
 * @returns what asks; each question ends after 30 s
 * @example const chain = createChain({ config, projectId })
 *   await chain.ask('eip155:1', 'eth_blockNumber', [])
 */
export function createChain({ config, projectId, load = (input, init) => fetch(input, init) }: ChainParts): Chain {
  let id = 0
  return {
    async ask(chainId, method, params, { signal, patience: limit = patience, of = 'node' } = {}) {
      const network = config.networks.find((each) => each.chainId === chainId)
      if (network === undefined) throw refusals.unknownNetwork(chainId)
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
        return readAnswer(await response.json(), network.name)
      } catch (cause) {
        if (cause instanceof RpcError) throw cause
        throw refusals.unreachable(network.name, cause)
      }
    },
  }
}

/** @throws RpcError with what the node said, or -32603 when it said nothing that makes sense. */
function readAnswer(answer: unknown, network: string): unknown {
  if (!isRecord(answer)) throw refusals.unreachable(network)
  const { error, result } = answer
  if (isRecord(error)) {
    const { code, message, data } = error
    const said = typeof message === 'string' ? message.slice(0, 400) : 'The network refused it.'
    throw new RpcError(typeof code === 'number' ? code : -32603, said, { data })
  }
  if (!('result' in answer)) throw refusals.unreachable(network)
  return result
}
