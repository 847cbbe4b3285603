import { createCircuitBreaker, type CircuitBreaker } from '../limits/circuitBreaker.ts'
import type { Clock } from '../runtime/clock.ts'
import { createBatchLimit, postBatch, type BatchLimit } from './postBatch.ts'
import {
  isEndpointFault,
  NoEndpointError,
  postJsonRpc,
  RequestTooLargeError,
  ResponseTooLargeError,
  type PostOptions,
} from './postJsonRpc.ts'

/** The endpoints of one chain. */
export type EndpointPool = {
  /**
   * Sends a request, or a batch of requests with different ids, to the endpoints in turn until one responds. A batch is
   * split if an endpoint accepts fewer requests at once, or none.
   *
   * @param once sends it to one endpoint only, for requests that must not run twice
   * @returns the first response that does not report a fault of the endpoint, otherwise the first response
   * @throws RequestTooLargeError if the request or its response is too large
   * @throws NoEndpointError if no endpoint responds within 20 seconds, or all are at their limit
   */
  request(body: unknown, options?: PoolRequestOptions): Promise<unknown>
  /** Excludes an endpoint from requests, or includes it again. */
  setExcluded(url: string, isExcluded: boolean): void
  /** The endpoints, the best first. */
  ranking(): readonly RankedEndpoint[]
}

export type PoolRequestOptions = Pick<PostOptions, 'maxBytes' | 'onBytes'> & {
  once?: boolean
  /** Fails at the first response that is too large, because other endpoints would send as much. */
  stopsWhenTooLarge?: boolean
  /** Accepts a batch to which an endpoint responded in part. */
  acceptsPart?: boolean
}

/** An endpoint with its mean latency in milliseconds and the share of its requests that succeeded. */
export type RankedEndpoint = { url: string; latency: number; stability: number; isAvailable: boolean }

type Endpoint = {
  url: string
  samples: readonly Sample[]
  batchLimit: BatchLimit
  inFlight: number
  circuit: CircuitBreaker
  isExcluded: boolean
}

type Sample = { ok: boolean; milliseconds: number }

const totalTimeoutMs = 20_000
const maxEndpoints = 5
const maxInFlight = 200
/** The weights of stability and latency in a rank, over so many samples [R9.5.6]. */
const rank = { stability: 0.7, latency: 0.3, samples: 10 } as const

/** Creates the pool of a chain's endpoints, in the given order until more is known about them. */
export function createEndpointPool(urls: readonly string[], clock: Clock): EndpointPool {
  const endpoints = urls.map((url): Endpoint => ({
    url,
    samples: [],
    batchLimit: createBatchLimit(),
    inFlight: 0,
    circuit: createCircuitBreaker(clock),
    isExcluded: false,
  }))

  function rankedEndpoints(): readonly Endpoint[] {
    const slowest = Math.max(1, ...endpoints.map(meanLatency))
    const score = (endpoint: Endpoint): number =>
      rank.stability * stability(endpoint) + rank.latency * (1 - meanLatency(endpoint) / slowest)
    return endpoints.toSorted((a, b) => score(b) - score(a))
  }

  return {
    async request(body, { once = false, stopsWhenTooLarge = false, acceptsPart = false, ...post } = {}) {
      const available = rankedEndpoints().filter(isAvailable)
      const deadline = AbortSignal.timeout(totalTimeoutMs)
      let faulty: { response: unknown } | undefined
      let cause: unknown
      for (const endpoint of available.slice(0, once ? 1 : maxEndpoints)) {
        if (deadline.aborted) break
        try {
          const { response, ok } = await requestEndpoint(endpoint, body, { deadline, clock, post, acceptsPart })
          if (ok) return response
          faulty ??= { response }
        } catch (error) {
          cause = error
          if (stopsWhenTooLarge && error instanceof ResponseTooLargeError) break
        }
      }
      if (faulty !== undefined) return faulty.response
      if (cause instanceof RequestTooLargeError) throw cause
      throw new NoEndpointError('No endpoint responds.', { cause })
    },
    setExcluded(url, isExcluded) {
      for (const endpoint of endpoints) if (endpoint.url === url) endpoint.isExcluded = isExcluded
    },
    ranking: () =>
      rankedEndpoints().map((endpoint) => ({
        url: endpoint.url,
        latency: meanLatency(endpoint),
        stability: stability(endpoint),
        isAvailable: isAvailable(endpoint),
      })),
  }
}

type EndpointRequest = { deadline: AbortSignal; clock: Clock; post: PostOptions; acceptsPart: boolean }

async function requestEndpoint(
  endpoint: Endpoint,
  body: unknown,
  { deadline, clock, post, acceptsPart }: EndpointRequest,
): Promise<{ response: unknown; ok: boolean }> {
  const startedAt = clock.now()
  endpoint.inFlight += 1
  let ok = false
  try {
    const send = (part: unknown): Promise<unknown> => postJsonRpc(endpoint.url, part, deadline, post)
    const response = Array.isArray(body)
      ? await postBatch(body, { limit: endpoint.batchLimit, acceptsPart, post: send })
      : await send(body)
    ok = !isEndpointFault(response)
    return { response, ok }
  } catch (error) {
    // An endpoint that refuses a large request works.
    ok = error instanceof RequestTooLargeError && !(error instanceof ResponseTooLargeError)
    throw error
  } finally {
    endpoint.inFlight -= 1
    recordSample(endpoint, { ok, milliseconds: clock.now() - startedAt })
  }
}

function recordSample(endpoint: Endpoint, sample: Sample): void {
  const hasRecovered = sample.ok && endpoint.circuit.state() !== 'closed'
  endpoint.circuit.record(sample.ok)
  endpoint.samples = hasRecovered ? [] : [...endpoint.samples, sample].slice(-rank.samples)
}

/** A half-open endpoint gets one request at a time. */
function isAvailable({ circuit, inFlight, isExcluded }: Endpoint): boolean {
  const limit = circuit.state() === 'closed' ? maxInFlight : 1
  return !isExcluded && circuit.allowsRequests() && inFlight < limit
}

/** The share of recent requests that succeeded; 1 for an endpoint without requests. */
function stability({ samples }: Endpoint): number {
  return samples.length === 0 ? 1 : samples.filter(({ ok }) => ok).length / samples.length
}

/** The mean latency of recent successful requests; 0 for an endpoint without any. */
function meanLatency({ samples }: Endpoint): number {
  const successful = samples.filter(({ ok }) => ok)
  if (successful.length === 0) return 0
  return successful.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / successful.length
}
