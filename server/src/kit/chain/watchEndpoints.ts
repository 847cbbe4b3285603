import { parseChainId } from '@latchkey/protocol'
import type { FastifyBaseLogger } from 'fastify'
import { getField } from '../runtime/getField.ts'
import { pause } from '../runtime/pause.ts'
import type { Chain } from './chains.ts'
import type { EndpointPools } from './endpointPools.ts'
import { postJsonRpc } from './postJsonRpc.ts'

/** A running check of endpoints. */
export type EndpointWatch = {
  /** Resolves when every endpoint was checked once, or after three seconds. */
  readonly firstCheck: Promise<void>
  stop(): void
}

export type EndpointWatchOptions = { chains: readonly Chain[]; pools: EndpointPools; log: FastifyBaseLogger }

const firstCheckTimeoutMs = 3_000
const checkIntervalMs = 60_000

/**
 * Checks the chain id of every EVM endpoint. An endpoint of another chain would return wrong balances and take
 * transactions that were not signed for it, so it is excluded until it reports the right chain.
 */
export function watchEndpoints({ chains, pools, log }: EndpointWatchOptions): EndpointWatch {
  const stopping = new AbortController()
  const verified = new Set<string>()
  const endpoints = chains.flatMap((chain) => {
    const { namespace, reference } = parseChainId(chain.caipNetworkId)
    return namespace === 'eip155' ? chain.rpcUrls.map((url, index) => ({ chain, url, index, reference })) : []
  })

  async function checkEndpoint({ chain, url, index, reference }: (typeof endpoints)[number]): Promise<void> {
    const chainId = await fetchChainId(url, stopping.signal)
    // It may be unreachable for now; the next check decides.
    if (chainId === undefined) return
    const isRight = chainId === BigInt(reference)
    if (isRight) verified.add(`${chain.caipNetworkId} ${url}`)
    // The URL may contain a key, so the log names the endpoint by its number.
    else {
      log.error(
        { chain: chain.caipNetworkId, endpoint: index + 1, is: String(chainId) },
        'an endpoint is of another chain',
      )
    }
    pools.get(chain).setExcluded(url, !isRight)
  }

  async function checkUnverified(): Promise<void> {
    const unverified = endpoints.filter(({ chain, url }) => !verified.has(`${chain.caipNetworkId} ${url}`))
    await Promise.all(unverified.map(checkEndpoint))
  }

  async function checkRepeatedly(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(checkIntervalMs, stopping.signal)
      if (!stopping.signal.aborted) await checkUnverified()
    }
  }

  const first = checkUnverified()
  void first.then(checkRepeatedly)
  return {
    firstCheck: Promise.race([first, pause(firstCheckTimeoutMs, stopping.signal)]),
    stop: () => stopping.abort(),
  }
}

async function fetchChainId(url: string, signal: AbortSignal): Promise<bigint | undefined> {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  const response = await postJsonRpc(url, request, signal).catch(() => undefined)
  const result = getField(response, 'result')
  return typeof result === 'string' && /^0x[0-9a-f]{1,16}$/i.test(result) ? BigInt(result) : undefined
}
