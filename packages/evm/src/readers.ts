import { systemClock, type Clock } from '@latchkey/core'
import { isLatchkeyError, LatchkeyError, type ChainId, type Network } from '@latchkey/protocol'
import { BaseError, createClient, type Client } from 'viem'
import { rankedTransport } from './rankedTransport.ts'

/** The clients of one adapter, made when a network is first read, so that what they learn of its endpoints stays. */
export type Readers = {
  clock: Clock | undefined
  clients: Map<ChainId, Client>
  /** Wallets that give hashes of their own; each tells the chain's hash once there is one. */
  translators: Array<(hash: string) => Promise<string | undefined>>
}

/** The client that reads a network. */
export function readerOf({ clock = systemClock, clients }: Readers, { caipNetworkId, name, rpcUrls }: Network): Client {
  const known = clients.get(caipNetworkId)
  if (known !== undefined) return known
  const transport = rankedTransport(rpcUrls.default.http, name, clock)
  // A contract may ask for data from any address (EIP-3668). Nothing but the network's own endpoints is asked.
  const reader = createClient({ transport, ccipRead: false })
  clients.set(caipNetworkId, reader)
  return reader
}

/**
 * Waits for what a network is asked, and says which network it was when nothing can be read.
 *
 * @throws LatchkeyError `rpc/unreachable`.
 */
export async function reading<result>(network: Network, answer: Promise<result>): Promise<result> {
  try {
    return await answer
  } catch (cause) {
    throw unreachableIn(cause) ?? new LatchkeyError('rpc/unreachable', { network: network.name }, { cause })
  }
}

/** Our own error inside those that viem wraps around it: that no endpoint answered. */
export function unreachableIn(error: unknown): LatchkeyError | undefined {
  const inner = error instanceof BaseError ? error.walk((cause) => isLatchkeyError(cause)) : error
  return isLatchkeyError(inner) ? inner : undefined
}
