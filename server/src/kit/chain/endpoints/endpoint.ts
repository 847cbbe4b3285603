import { createCircuitBreaker, type CircuitBreaker } from '../../limits/circuitBreaker.ts'
import { pause } from '../../runtime/pause.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { EndpointBudget, RefusedUnits } from '../budgets/createUpstreamBudgets.ts'
import { createBatchLimit, postBatch, type BatchLimit } from '../postBatch.ts'
import {
  EndpointLimitError,
  isEndpointFault,
  postJsonRpc,
  RequestTooLargeError,
  ResponseTooLargeError,
  type PostOptions,
} from '../postJsonRpc.ts'
import { createLatencies, type Latencies } from './createLatencies.ts'
import type { EndpointLabels, SkipReason, UpstreamMetrics } from './upstreamMetrics.ts'

/** One endpoint of a chain, and what is known about it. */
export type Endpoint = {
  url: string
  labels: EndpointLabels
  budget: EndpointBudget | undefined
  samples: readonly Sample[]
  latencies: Latencies
  batchLimit: BatchLimit
  inFlight: number
  circuit: CircuitBreaker
  isExcluded: boolean
  /** The endpoint asked for no requests before this time. */
  limitedUntil: number
}

type Sample = { ok: boolean; milliseconds: number }

export type EndpointOptions = { clock: Clock; labels: EndpointLabels; budget: EndpointBudget | undefined }

const maxInFlight = 200
/** A request to wait longer than this is not trusted. */
const maxLimitSeconds = 300
/** The number of recent requests that a rank considers [R9.5.6]. */
const rankedSamples = 10

/** Creates an endpoint about which nothing is known. */
export function createEndpoint(url: string, { clock, labels, budget }: EndpointOptions): Endpoint {
  return {
    url,
    labels,
    budget,
    samples: [],
    latencies: createLatencies(),
    batchLimit: createBatchLimit(),
    inFlight: 0,
    circuit: createCircuitBreaker(clock),
    isExcluded: false,
    limitedUntil: 0,
  }
}

/** True for an endpoint that works, as far as it is known. A half-open endpoint gets one request at a time. */
export function isUsable({ circuit, inFlight, isExcluded }: Endpoint): boolean {
  const limit = circuit.state() === 'closed' ? maxInFlight : 1
  return !isExcluded && circuit.allowsRequests() && inFlight < limit
}

/** An endpoint that gets no requests for now, although it works. */
export type Wait = { seconds: number; reason: SkipReason }

/** Gets how long an endpoint gets no requests, or `undefined` if it may get one now. */
export function getWait({ budget, limitedUntil }: Endpoint, clock: Clock): Wait | undefined {
  const milliseconds = limitedUntil - clock.now()
  if (milliseconds > 0) return { seconds: Math.ceil(milliseconds / 1_000), reason: 'rate-limited' }
  const refusal = budget?.getRefusal()
  return refusal === undefined ? undefined : { seconds: refusal.retryAfter, reason: refusal.reason }
}

/** The share of recent requests that succeeded; 1 for an endpoint without requests. */
export function getStability({ samples }: Endpoint): number {
  return samples.length === 0 ? 1 : samples.filter(({ ok }) => ok).length / samples.length
}

/** The mean latency of recent successful requests; 0 for an endpoint without any. */
export function getMeanLatency({ samples }: Endpoint): number {
  const successful = samples.filter(({ ok }) => ok)
  if (successful.length === 0) return 0
  return successful.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / successful.length
}

/** The endpoint got no request: its budget is used up. */
export class BudgetError extends Error {
  override readonly name: string = 'BudgetError'
  readonly retryAfterSeconds: number
  constructor({ retryAfter }: RefusedUnits) {
    super(`The budget of the endpoint is used up for ${retryAfter} seconds.`)
    this.retryAfterSeconds = retryAfter
  }
}

export type EndpointRequest = {
  /** Aborts the request, which then counts as failed. */
  deadline: AbortSignal
  /** Aborts the request because another endpoint has responded. */
  cancelled: AbortSignal
  clock: Clock
  post: PostOptions
  acceptsPart: boolean
  /** A download whose latency says nothing about other requests. */
  isBulk: boolean
  metrics: UpstreamMetrics
}

/**
 * Sends a request, or a batch, to an endpoint within its budget.
 *
 * @throws BudgetError, without a request, if its budget is used up
 */
export async function requestEndpoint(
  endpoint: Endpoint,
  body: unknown,
  request: EndpointRequest,
): Promise<{ response: unknown; ok: boolean }> {
  const { budget, batchLimit } = endpoint
  const { acceptsPart } = request
  const admission = createAdmission(endpoint, request)
  const send = async (part: unknown): Promise<unknown> => {
    await admission.take(part)
    return postMeasured(endpoint, part, request)
  }
  endpoint.inFlight += 1
  try {
    const response = Array.isArray(body)
      ? await postBatch(body, { limit: batchLimit, maxSize: budget?.getBatchSize(body), acceptsPart, post: send })
      : await send(body)
    return { response, ok: !isEndpointFault(response) }
  } finally {
    endpoint.inFlight -= 1
  }
}

/** Admits the first part of a batch at once or not at all. Further parts wait for their budget, one after the other. */
function createAdmission(
  { budget, labels }: Endpoint,
  { deadline, cancelled, metrics }: EndpointRequest,
): { take(part: unknown): Promise<void> } {
  let isStarted = false
  let earlier: Promise<void> = Promise.resolve()

  async function admit(part: unknown): Promise<void> {
    const calls = Array.isArray(part) ? part.length : 1
    const units = budget?.getCost(part) ?? calls
    for (let result = await budget?.take(units); result?.ok === false; result = await budget?.take(units)) {
      if (!isStarted || deadline.aborted || cancelled.aborted) {
        metrics.countSkip(labels, result.reason)
        throw new BudgetError(result)
      }
      await pause(1_000 * result.retryAfter, AbortSignal.any([deadline, cancelled]))
    }
    isStarted = true
    metrics.countSent(labels, { calls, units })
  }

  return {
    take(part) {
      if (budget === undefined) return admit(part)
      earlier = earlier.catch(() => undefined).then(() => admit(part))
      return earlier
    },
  }
}

/** Sends one HTTP request and records its outcome. */
async function postMeasured(endpoint: Endpoint, part: unknown, request: EndpointRequest): Promise<unknown> {
  const { deadline, cancelled, clock, post, isBulk, metrics } = request
  const startedAt = clock.now()
  let ok = false
  try {
    const response = await postJsonRpc(endpoint.url, part, AbortSignal.any([deadline, cancelled]), post)
    ok = !isEndpointFault(response)
    return response
  } catch (error) {
    // An endpoint that refuses a large request works.
    ok = error instanceof RequestTooLargeError && !(error instanceof ResponseTooLargeError)
    if (error instanceof EndpointLimitError) {
      endpoint.limitedUntil = clock.now() + 1_000 * Math.min(error.retryAfterSeconds, maxLimitSeconds)
    }
    throw error
  } finally {
    const milliseconds = clock.now() - startedAt
    const outcome = ok ? 'ok' : cancelled.aborted ? 'cancelled' : 'failed'
    metrics.countOutcome(endpoint.labels, outcome, milliseconds / 1_000)
    recordSample(endpoint, { outcome, milliseconds, isBulk })
  }
}

type Measured = { outcome: 'ok' | 'failed' | 'cancelled'; milliseconds: number; isBulk: boolean }

function recordSample(endpoint: Endpoint, { outcome, milliseconds, isBulk }: Measured): void {
  // It is unknown whether a cancelled request would have succeeded, but it was slow.
  const ok = outcome !== 'failed'
  const hasRecovered = outcome === 'ok' && endpoint.circuit.state() !== 'closed'
  if (outcome !== 'cancelled') endpoint.circuit.record(ok)
  if (ok && !isBulk) endpoint.latencies.add(milliseconds)
  endpoint.samples = hasRecovered ? [] : [...endpoint.samples, { ok, milliseconds }].slice(-rankedSamples)
}
