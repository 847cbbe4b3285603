import type { Clock } from '@latchkey/core'
import { LatchkeyError } from '@latchkey/protocol'
import { BaseError, custom, http, type CustomTransport, type EIP1193RequestFn } from 'viem'
import { rank, withSample, type Sample } from './ranking.ts'

type Endpoint = { request: EIP1193RequestFn; samples: readonly Sample[] }

/** What an endpoint answers when it is the endpoint that fails: internal error, unavailable, over its limit. */
const faultCodes: readonly number[] = [-32603, -32002, -32005, 429]

/** How often the endpoints that are not asked are tried, at most, and how long an answer may take. */
const milliseconds = { betweenSamples: 10_000, answer: 10_000 } as const

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
    const { request } = http(url, { retryCount: 0, timeout: milliseconds.answer })({ retryCount: 0 })
    return { request, samples: [] }
  })
  let sampledAt = Number.NEGATIVE_INFINITY

  async function ask(endpoint: Endpoint, args: Parameters<EIP1193RequestFn>[0]): Promise<unknown> {
    const began = now()
    const keep = (answered: boolean): void => {
      endpoint.samples = withSample(endpoint.samples, { answered, milliseconds: now() - began })
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
    if (endpoints.length < 2 || now() - sampledAt < milliseconds.betweenSamples) return
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
