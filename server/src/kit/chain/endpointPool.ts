import { Registry } from 'prom-client'
import type { Clock } from '../runtime/clock.ts'
import type { EndpointBudget } from './budgets/createUpstreamBudgets.ts'
import {
  BudgetError,
  createEndpoint,
  getMeanLatency,
  getStability,
  getWait,
  isUsable,
  requestEndpoint,
  type Endpoint,
} from './endpoints/endpoint.ts'
import { createHedgeAllowance } from './endpoints/createHedgeAllowance.ts'
import { createUpstreamMetrics, type UpstreamMetrics } from './endpoints/upstreamMetrics.ts'
import { isReadRequest } from './isReadRequest.ts'
import {
  EndpointLimitError,
  NoEndpointError,
  RequestTooLargeError,
  ResponseTooLargeError,
  UpstreamLimitError,
  type PostOptions,
} from './postJsonRpc.ts'

/** The endpoints of one chain. */
export type EndpointPool = {
  /**
   * Sends a request, or a batch of requests with different ids, to the endpoints in turn until one responds. A batch is
   * split if an endpoint accepts fewer requests at once, or none. A request that only reads goes to a second endpoint as
   * well if the first one takes longer than usual.
   *
   * @param once sends it to one endpoint only, for requests that must not run twice
   * @returns the first response that does not report a fault of the endpoint, otherwise the first response
   * @throws RequestTooLargeError if the request or its response is too large
   * @throws UpstreamLimitError if no endpoint responds and some have reached their limit
   * @throws NoEndpointError if no endpoint responds within 20 seconds
   */
  request(body: unknown, options?: PoolRequestOptions): Promise<unknown>
  /** Excludes an endpoint from requests, or includes it again. */
  setExcluded(url: string, isExcluded: boolean): void
  /** The endpoints, the best first. */
  ranking(): readonly RankedEndpoint[]
}

export type PoolRequestOptions = Pick<PostOptions, 'maxBytes' | 'onBytes' | 'parse'> & {
  once?: boolean
  /**
   * For downloads of many blocks: fails at the first response that is too large, because other endpoints would send as
   * much, and never asks two endpoints at the same time.
   */
  stopsWhenTooLarge?: boolean
  /** Accepts a batch to which an endpoint responded in part. */
  acceptsPart?: boolean
}

/** An endpoint with its mean latency in milliseconds and the share of its requests that succeeded. */
export type RankedEndpoint = { url: string; latency: number; stability: number; isAvailable: boolean }

export type EndpointPoolOptions = {
  /** Names the chain in metrics. */
  chain?: string
  /** Gets the budget of an endpoint. Endpoints have none by default. */
  getBudget?(url: string): EndpointBudget | undefined
  metrics?: UpstreamMetrics
}

const totalTimeoutMs = 20_000
const maxEndpoints = 5
/** The weights of stability and latency in a rank [R9.5.6]. */
const rank = { stability: 0.7, latency: 0.3 } as const

/** Creates the pool of a chain's endpoints, in the given order until more is known about them. */
export function createEndpointPool(
  urls: readonly string[],
  clock: Clock,
  {
    chain = '',
    getBudget = () => undefined,
    metrics = createUpstreamMetrics(new Registry()),
  }: EndpointPoolOptions = {},
): EndpointPool {
  const endpoints = urls.map((url, index) => {
    const budget = getBudget(url)
    const labels = { chain, provider: budget?.provider ?? `endpoint ${index + 1}` }
    return createEndpoint(url, { clock, labels, budget })
  })
  const allowance = createHedgeAllowance()
  const isAvailable = (endpoint: Endpoint): boolean => isUsable(endpoint) && getWait(endpoint, clock) === undefined

  /** Counts the endpoints that work but get no request now. Returns the seconds until they do. */
  function listWaits(usable: readonly Endpoint[]): readonly number[] {
    return usable.flatMap((endpoint) => {
      const wait = getWait(endpoint, clock)
      if (wait === undefined) return []
      metrics.countSkip(endpoint.labels, wait.reason)
      return [wait.seconds]
    })
  }

  return {
    async request(body, { once = false, stopsWhenTooLarge = false, acceptsPart = false, ...post } = {}) {
      const usable = rankEndpoints(endpoints).filter(isUsable)
      const waits = listWaits(usable)
      const deadline = AbortSignal.timeout(totalTimeoutMs)
      const shared = { deadline, clock, post, acceptsPart, isBulk: stopsWhenTooLarge, metrics }
      const send: Send = (endpoint, cancelled) => requestEndpoint(endpoint, body, { ...shared, cancelled })
      const isHedged = !once && !stopsWhenTooLarge && isReadRequest(body)
      const outcomes = await requestInTurn({
        candidates: usable.filter(isAvailable).slice(0, once ? 1 : maxEndpoints),
        send,
        isFinal: (error) => deadline.aborted || (stopsWhenTooLarge && error instanceof ResponseTooLargeError),
        takeHedge: isHedged ? allowance.take : () => false,
        hedged: (winner) => metrics.countHedge(chain, winner),
      })
      if (isHedged) allowance.count()
      return chooseOutcome(outcomes, waits)
    },
    setExcluded(url, isExcluded) {
      for (const endpoint of endpoints) if (endpoint.url === url) endpoint.isExcluded = isExcluded
    },
    ranking: () =>
      rankEndpoints(endpoints).map((endpoint) => ({
        url: endpoint.url,
        latency: getMeanLatency(endpoint),
        stability: getStability(endpoint),
        isAvailable: isAvailable(endpoint),
      })),
  }
}

function rankEndpoints(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const slowest = Math.max(1, ...endpoints.map(getMeanLatency))
  const score = (endpoint: Endpoint): number =>
    rank.stability * getStability(endpoint) + rank.latency * (1 - getMeanLatency(endpoint) / slowest)
  return endpoints.toSorted((a, b) => score(b) - score(a))
}

/** The response of an endpoint, or its error. */
type Outcome = { response: unknown; ok: boolean } | { error: unknown; ok: false }

type Send = (endpoint: Endpoint, cancelled: AbortSignal) => Promise<{ response: unknown; ok: boolean }>

type RequestInTurn = {
  candidates: readonly Endpoint[]
  send: Send
  /** True for an error after which no other endpoint is tried. */
  isFinal(error: unknown): boolean
  /** Takes the permission to use a second endpoint at the same time. */
  takeHedge(): boolean
  hedged(winner: 'first' | 'second'): void
}

/** Tries the endpoints in turn until one responds well. */
async function requestInTurn({
  candidates,
  send,
  isFinal,
  takeHedge,
  hedged,
}: RequestInTurn): Promise<readonly Outcome[]> {
  const remaining = [...candidates]
  const outcomes: Outcome[] = []
  const never = new AbortController()
  for (let first = remaining.shift(); first !== undefined; first = remaining.shift()) {
    const nextIfAllowed = (): Endpoint | undefined => (takeHedge() ? remaining.shift() : undefined)
    const received =
      remaining.length === 0
        ? [await settle(send(first, never.signal))]
        : await requestHedged(first, { send, nextIfAllowed, hedged })
    outcomes.push(...received)
    if (received.some((each) => each.ok || ('error' in each && isFinal(each.error)))) break
  }
  return outcomes
}

type RequestHedged = Pick<RequestInTurn, 'send' | 'hedged'> & { nextIfAllowed(): Endpoint | undefined }

/** Sends a request to an endpoint, and to a second one if the first one takes longer than usual. */
async function requestHedged(
  endpoint: Endpoint,
  { send, nextIfAllowed, hedged }: RequestHedged,
): Promise<readonly Outcome[]> {
  const cancellation = new AbortController()
  const first = settle(send(endpoint, cancellation.signal))
  const isSlow = await isSlowerThan(first, endpoint.latencies.getHedgeDelay())
  const second = isSlow ? nextIfAllowed() : undefined
  if (second === undefined) return [await first]
  const other = settle(send(second, cancellation.signal))
  const earlier = await Promise.race([
    first.then((outcome) => ({ outcome, winner: 'first' as const })),
    other.then((outcome) => ({ outcome, winner: 'second' as const })),
  ])
  if (earlier.outcome.ok) {
    hedged(earlier.winner)
    cancellation.abort()
    return [earlier.outcome]
  }
  const later = await (earlier.winner === 'first' ? other : first)
  if (later.ok) hedged(earlier.winner === 'first' ? 'second' : 'first')
  return [earlier.outcome, later]
}

function settle(sent: ReturnType<Send>): Promise<Outcome> {
  return sent.catch((error: unknown) => ({ error, ok: false }))
}

/** A plain timer, because aborting a pause creates an error with each request. */
function isSlowerThan(settled: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, true).unref()
    void settled.then(() => {
      clearTimeout(timer)
      resolve(false)
    })
  })
}

/** @param waits the seconds after which the endpoints accept requests again that were not tried */
function chooseOutcome(outcomes: readonly Outcome[], waits: readonly number[]): unknown {
  const responses = outcomes.filter((each) => 'response' in each)
  const [chosen] = responses.toSorted((a, b) => Number(b.ok) - Number(a.ok))
  if (chosen !== undefined) return chosen.response
  const errors = outcomes.flatMap((each) => ('error' in each ? [each.error] : []))
  const cause = errors.at(-1)
  if (cause instanceof RequestTooLargeError) throw cause
  const limits = [
    ...waits,
    ...errors.flatMap((error) =>
      error instanceof BudgetError || error instanceof EndpointLimitError ? [error.retryAfterSeconds] : [],
    ),
  ]
  if (limits.length > 0) throw new UpstreamLimitError(Math.max(1, Math.min(...limits)), { cause })
  throw new NoEndpointError('No endpoint responds.', { cause })
}
