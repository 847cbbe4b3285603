import { systemClock, type Clock } from '@latchkey/core'
import { LatchkeyError, type ChainId, type Network } from '@latchkey/protocol'
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit'

/** What reads one network. */
export type Reader = Rpc<SolanaRpcApi>

/** What reads the networks of one adapter; the clients are made when a network is first read. */
export type Readers = { clock: Clock | undefined; networks: readonly Network[]; clients: Map<ChainId, Reader> }

/** How long an endpoint may take before the next one is asked, in milliseconds. */
const patience = 10_000

/** The client that reads a network. */
export function readerOf({ clock = systemClock, clients }: Readers, { caipNetworkId, rpcUrls }: Network): Reader {
  const known = clients.get(caipNetworkId)
  if (known !== undefined) return known
  const transports = rpcUrls.default.http.map((url) => createDefaultRpcTransport({ url }))
  const reader = createSolanaRpcFromTransport(inTurn(transports, clock)) as Reader
  clients.set(caipNetworkId, reader)
  return reader
}

/** The network of a chain that a wallet is on. */
export function networkFor({ networks }: Readers, chainId: ChainId): Network {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (network === undefined) throw new LatchkeyError('network/not-found', { chainId })
  return network
}

/**
 * Waits for what a network is asked, and says which network it was when nothing can be read. What the network itself
 * answers, a refusal too, is passed on.
 *
 * @throws LatchkeyError `rpc/unreachable`.
 */
export async function reading<result>({ name }: Network, answer: Promise<result>): Promise<result> {
  try {
    return await answer
  } catch (cause) {
    if (isSolanaError(cause) && !isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) throw cause
    throw new LatchkeyError('rpc/unreachable', { network: name }, { cause })
  }
}

/** Asks the endpoints one after the other until one answers. */
function inTurn(transports: readonly RpcTransport[], clock: Clock): RpcTransport {
  return async <answer>(request: Parameters<RpcTransport>[0]): Promise<answer> => {
    let failure: unknown = new TypeError('The network has no endpoint.')
    for (const transport of transports) {
      try {
        return await within<answer>(transport, request, clock)
      } catch (error) {
        request.signal?.throwIfAborted()
        failure = error
      }
    }
    throw failure
  }
}

async function within<answer>(
  transport: RpcTransport,
  request: Parameters<RpcTransport>[0],
  clock: Clock,
): Promise<answer> {
  const limit = new AbortController()
  const cancel = clock.after(patience, () => limit.abort())
  const signal = request.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, request.signal])
  try {
    return await transport<answer>({ ...request, signal })
  } finally {
    cancel()
  }
}
