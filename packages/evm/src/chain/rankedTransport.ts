import type { Clock } from '@latchkey/core'
import { networkError } from '@latchkey/protocol'
import { BaseError, custom, http, type CustomTransport, type EIP1193RequestFn } from 'viem'
import { rankEndpoints, addSample, type Sample } from './rankEndpoints.ts'

type Endpoint = { request: EIP1193RequestFn; samples: readonly Sample[] }

/** The codes with which an endpoint reports its own failure: internal error, unavailable, rate limit. */
const faultCodes: readonly number[] = [-32603, -32002, -32005, 429]

/** The shortest time between two samples of the unused endpoints, and the timeout of a request. */
const sampleIntervalMs = 10_000
const timeoutMs = 10_000

/**
 * Creates a transport that reads a network through several endpoints. The best endpoint is tried first, by the
 * reliability and speed of its last ten responses. If it fails, the next one is tried.
 *
 * Unused endpoints are sampled with a small request, but only alongside a real one: an idle page causes no traffic.
 *
 * @param urls the endpoints in their initial order
 * @param name the name of the network, for errors
 */
export function rankedTransport(urls: readonly string[], name: string, { now }: Pick<Clock, 'now'>): CustomTransport {
  const endpoints = urls.map((url): Endpoint => {
    const { request } = http(url, { retryCount: 0, timeout: timeoutMs })({ retryCount: 0 })
    return { request, samples: [] }
  })
  let sampledAt = Number.NEGATIVE_INFINITY

  async function send(endpoint: Endpoint, args: Parameters<EIP1193RequestFn>[0]): Promise<unknown> {
    const startedAt = now()
    const record = (hasResponse: boolean): void => {
      endpoint.samples = addSample(endpoint.samples, { hasResponse, milliseconds: now() - startedAt })
    }
    try {
      const response: unknown = await endpoint.request(args)
      record(true)
      return response
    } catch (error) {
      record(isChainError(error))
      throw error
    }
  }

  function sampleOthers(used: Endpoint | undefined): void {
    if (endpoints.length < 2 || now() - sampledAt < sampleIntervalMs) return
    sampledAt = now()
    for (const endpoint of endpoints) {
      if (endpoint !== used) send(endpoint, { method: 'eth_chainId' }).catch(() => undefined)
    }
  }

  async function request(args: Parameters<EIP1193RequestFn>[0]): Promise<unknown> {
    const order = rankEndpoints(endpoints)
    sampleOthers(order[0])
    let cause: unknown
    for (const endpoint of order) {
      try {
        return await send(endpoint, args)
      } catch (error) {
        if (isChainError(error)) throw error
        cause = error
      }
    }
    throw networkError('rpc/unreachable', { network: name }, { cause })
  }

  return custom({ request }, { retryCount: 0 })
}

/**
 * True if the chain itself responded with this error, so that another endpoint would repeat it: a revert, a refused
 * transaction, an invalid request. Failures of the endpoint (internal error, rate limit) are not such errors.
 */
function isChainError(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const code: unknown = Reflect.get(error, 'code')
  // Some nodes report a revert as an internal error.
  if (/revert/i.test(error.details)) return true
  return typeof code === 'number' && !faultCodes.includes(code)
}
