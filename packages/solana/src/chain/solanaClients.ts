import { findNetwork } from '@latchkey/adapter-kit'
import { systemClock, type Clock } from '@latchkey/core'
import { type ChainId, type Network, networkError } from '@latchkey/protocol'
import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit'

/** The client of one network. */
export type SolanaClient = Rpc<SolanaRpcApi>

/** The clients of one adapter. Each is created when its network is first read. */
export type SolanaClients = {
  clock: Clock | undefined
  networks: readonly Network[]
  clients: Map<ChainId, SolanaClient>
}

/** Timeout of an endpoint before the next one is tried, in milliseconds. */
const timeoutMs = 10_000

/** Returns the client of a network. */
export function getSolanaClient(
  { clock = systemClock, clients }: SolanaClients,
  { caipNetworkId, rpcUrls }: Network,
): SolanaClient {
  const known = clients.get(caipNetworkId)
  if (known !== undefined) return known
  const transports = rpcUrls.default.http.map((url) => createDefaultRpcTransport({ url }))
  const client = createSolanaRpcFromTransport(createFallbackTransport(transports, clock)) as SolanaClient
  clients.set(caipNetworkId, client)
  return client
}

/**
 * Finds the configured network of a chain.
 *
 * @throws LatchkeyError `network/not-found`
 */
export function requireNetwork({ networks }: SolanaClients, chainId: ChainId): Network {
  return findNetwork(networks, chainId)
}

/**
 * Waits for a network's response. Errors that the network itself responds with are passed on.
 *
 * @throws LatchkeyError `rpc/unreachable` if no endpoint responded
 */
export async function wrapUnreachable<result>({ name }: Network, response: Promise<result>): Promise<result> {
  try {
    return await response
  } catch (cause) {
    if (isSolanaError(cause) && !isSolanaError(cause, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) throw cause
    throw networkError('rpc/unreachable', { network: name }, { cause })
  }
}

/** Creates a transport that asks the endpoints in order until one responds. */
function createFallbackTransport(transports: readonly RpcTransport[], clock: Clock): RpcTransport {
  return async <response>(request: Parameters<RpcTransport>[0]): Promise<response> => {
    let failure: unknown = new TypeError('The network has no endpoint.')
    for (const transport of transports) {
      try {
        return await sendWithTimeout<response>(transport, request, clock)
      } catch (error) {
        request.signal?.throwIfAborted()
        failure = error
      }
    }
    throw failure
  }
}

async function sendWithTimeout<response>(
  transport: RpcTransport,
  request: Parameters<RpcTransport>[0],
  clock: Clock,
): Promise<response> {
  const limit = new AbortController()
  const cancel = clock.after(timeoutMs, () => limit.abort())
  const signal = request.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, request.signal])
  try {
    return await transport<response>({ ...request, signal })
  } finally {
    cancel()
  }
}
