import type { Clock } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { BaseError, custom, http, type CustomTransport, type EIP1193RequestFn } from 'viem'

/** What an endpoint did with one request. */
type Sample = { answered: boolean; milliseconds: number }

type Endpoint = { request: EIP1193RequestFn; samples: Sample[] }

/** What an endpoint answers when it is the endpoint that fails: internal error, unavailable, over its limit. */
const faultCodes: readonly number[] = [-32603, -32002, -32005, 429]

/** How the endpoints of a network are compared. */
const ranking = { samples: 10, stability: 0.7, latency: 0.3, everyMilliseconds: 10_000, timeout: 10_000 } as const

/**
 * Reads a network through several endpoints: the best first, by how reliably and how fast each answered its last
 * ten questions, and the next one where that fails.
 *
 * Endpoints that are not asked are sampled with a small question of ours, but only beside a real one: a page that
 * asks nothing causes no traffic.
 *
 * @param urls in the order to begin with
 * @param name what a person calls the network, for the error when no endpoint answers
 */
export function rankedTransport(urls: readonly string[], name: string, { now }: Pick<Clock, 'now'>): CustomTransport {
  const endpoints = urls.map((url): Endpoint => {
    const { request } = http(url, { retryCount: 0, timeout: ranking.timeout })({ retryCount: 0 })
    return { request, samples: [] }
  })
  let sampledAt = Number.NEGATIVE_INFINITY

  async function ask(endpoint: Endpoint, args: Parameters<EIP1193RequestFn>[0]): Promise<unknown> {
    const began = now()
    const keep = (answered: boolean): void => {
      endpoint.samples = [...endpoint.samples, { answered, milliseconds: now() - began }].slice(-ranking.samples)
    }
    try {
      const answer: unknown = await endpoint.request(args)
      keep(true)
      return answer
    } catch (error) {
      keep(isAnswer(error))
      throw error
    }
  }

  function sampleOthers(asked: Endpoint | undefined): void {
    if (endpoints.length < 2 || now() - sampledAt < ranking.everyMilliseconds) return
    sampledAt = now()
    for (const endpoint of endpoints) {
      if (endpoint !== asked) ask(endpoint, { method: 'eth_chainId' }).catch(() => undefined)
    }
  }

  async function request(args: Parameters<EIP1193RequestFn>[0]): Promise<unknown> {
    const order = rank(endpoints)
    sampleOthers(order[0])
    let cause: unknown
    for (const endpoint of order) {
      try {
        return await ask(endpoint, args)
      } catch (error) {
        if (isAnswer(error)) throw error
        cause = error
      }
    }
    throw new LatchkeyError('rpc/unreachable', { network: name }, { cause })
  }

  return custom({ request }, { retryCount: 0 })
}

/**
 * The endpoints, best first. One that has not answered yet counts as faultless and slow: better than one that fails,
 * never better than one that is known to be well.
 */
function rank(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const slowest = Math.max(1, ...endpoints.map(({ samples }) => meanLatency(samples)))
  const score = ({ samples }: Endpoint): number => {
    if (samples.length === 0) return ranking.stability
    const stability = samples.filter(({ answered }) => answered).length / samples.length
    return ranking.stability * stability + ranking.latency * (1 - meanLatency(samples) / slowest)
  }
  return [...endpoints].sort((a, b) => score(b) - score(a))
}

function meanLatency(samples: readonly Sample[]): number {
  return samples.length === 0 ? 0 : samples.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / samples.length
}

/**
 * Whether a failure is the chain's own answer, which another endpoint would only repeat: a revert, a refused
 * transaction, a question that makes no sense. Faults of the endpoint itself (internal error, limit) are not.
 */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const code: unknown = Reflect.get(error, 'code')
  // Some nodes tell a revert as an internal error.
  if (/revert/i.test(error.details)) return true
  return typeof code === 'number' && !faultCodes.includes(code)
}
