import { systemClock, type Clock } from '@latchkey/core'
import { isLatchkeyError, type ChainId, type Network, networkError, type LatchkeyError } from '@latchkey/protocol'
import { BaseError, createClient, type Client } from 'viem'
import { rankedTransport } from './rankedTransport.ts'

/** The clients of one adapter. Each is created when its network is first read, and keeps what it learns of its endpoints. */
export type EvmClients = {
  clock: Clock | undefined
  clients: Map<ChainId, Client>
  /** One per wallet with hashes of its own: returns the chain's hash once it is known. */
  translators: Array<(hash: string) => Promise<string | undefined>>
}

/** Returns the client of a network. */
export function getEvmClient(
  { clock = systemClock, clients }: EvmClients,
  { caipNetworkId, name, rpcUrls }: Network,
): Client {
  const known = clients.get(caipNetworkId)
  if (known !== undefined) return known
  const transport = rankedTransport(rpcUrls.default.http, name, clock)
  // A contract may request data from any URL (EIP-3668). Only the network's own endpoints are contacted.
  const client = createClient({ transport, ccipRead: false })
  clients.set(caipNetworkId, client)
  return client
}

/**
 * Waits for a network's response.
 *
 * @throws LatchkeyError `rpc/unreachable`
 */
export async function wrapUnreachable<result>(network: Network, response: Promise<result>): Promise<result> {
  try {
    return await response
  } catch (cause) {
    throw findLatchkeyError(cause) ?? networkError('rpc/unreachable', { network: network.name }, { cause })
  }
}

/** Finds our own error inside the errors that viem wraps around it. */
export function findLatchkeyError(error: unknown): LatchkeyError | undefined {
  const inner = error instanceof BaseError ? error.walk((cause) => isLatchkeyError(cause)) : error
  return isLatchkeyError(inner) ? inner : undefined
}
