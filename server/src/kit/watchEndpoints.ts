import { parseChainId } from '@latchkey/protocol'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from './chains.ts'
import { pause } from './pause.ts'
import type { Pools } from './pools.ts'
import { askEndpoint } from './rpc.ts'

/** Endpoints as they are looked at. */
export type EndpointWatch = {
  /** Settles when all have been asked once, or after three seconds. */
  readonly first: Promise<void>
  stop(): void
}

export type EndpointWatchParts = { chains: readonly Chain[]; pools: Pools; log: FastifyBaseLogger }

/** Milliseconds: for all to answer at the beginning, and between two looks at those that are not known to be right. */
const patience = { first: 3_000, again: 60_000 } as const

/**
 * Asks each endpoint of an EVM chain of which chain it is. One of another chain would tell wrong balances and take
 * transactions that nobody signed for it, so it is not used until it says otherwise.
 */
export function watchEndpoints({ chains, pools, log }: EndpointWatchParts): EndpointWatch {
  const stopping = new AbortController()
  const right = new Set<string>()
  const all = chains.flatMap((chain) => {
    const { namespace, reference } = parseChainId(chain.caipNetworkId)
    return namespace === 'eip155' ? chain.rpcUrls.map((url, place) => ({ chain, url, place, reference })) : []
  })

  async function look(): Promise<void> {
    const unsure = all.filter(({ chain, url }) => !right.has(`${chain.caipNetworkId} ${url}`))
    await Promise.all(
      unsure.map(async ({ chain, url, place, reference }) => {
        const told = await chainOf(url, stopping.signal)
        // It may only be away: whether it is right is seen another time.
        if (told === undefined) return
        const isRight = told === BigInt(reference)
        if (isRight) right.add(`${chain.caipNetworkId} ${url}`)
        // Its address may hold a key, so it is named by its place in the list.
        else
          log.error(
            { chain: chain.caipNetworkId, endpoint: place + 1, is: String(told) },
            'an endpoint is of another chain',
          )
        pools.of(chain).exclude(url, !isRight)
      }),
    )
  }

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(patience.again, stopping.signal)
      if (!stopping.signal.aborted) await look()
    }
  }

  const begun = look()
  void begun.then(keepLooking)
  return { first: Promise.race([begun, pause(patience.first, stopping.signal)]), stop: () => stopping.abort() }
}

async function chainOf(url: string, signal: AbortSignal): Promise<bigint | undefined> {
  const question = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  const answer = await askEndpoint(url, question, signal).catch(() => undefined)
  const { result } = Object(answer) as { result?: unknown }
  return typeof result === 'string' && /^0x[0-9a-f]{1,16}$/i.test(result) ? BigInt(result) : undefined
}
