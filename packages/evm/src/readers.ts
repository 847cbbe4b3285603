import type { ChainId, Network } from '@latchkey/protocol'
import { createPublicClient, defineChain, type PublicClient } from 'viem'
import { rankedTransport } from './rankedTransport.ts'

/** The clients of one adapter, made when a network is first read, so that what they learn of its endpoints stays. */
export type Readers = Map<ChainId, PublicClient>

/** How often a mined transaction is looked for. */
const pollingMilliseconds = 1_000

/** The client that reads a network. */
export function readerOf(readers: Readers, network: Network): PublicClient {
  const known = readers.get(network.caipNetworkId)
  if (known !== undefined) return known
  const http = [...network.rpcUrls.default.http]
  const chain = defineChain({
    id: Number(network.id),
    name: network.name,
    nativeCurrency: network.nativeCurrency,
    rpcUrls: { default: { http } },
  })
  const reader = createPublicClient({
    chain,
    transport: rankedTransport(http, network.name),
    pollingInterval: pollingMilliseconds,
  })
  readers.set(network.caipNetworkId, reader)
  return reader
}
