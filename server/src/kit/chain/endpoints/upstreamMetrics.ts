import { Counter, Histogram, type Registry } from 'prom-client'
import type { BudgetRefusal } from '../budgets/createUpstreamBudgets.ts'

/** The names under which an endpoint is counted. Its URL may contain a key. */
export type EndpointLabels = { chain: string; provider: string }

/** `cancelled`: another endpoint responded first. */
export type RequestOutcome = 'ok' | 'failed' | 'cancelled'

/** `rate-limited`: the endpoint itself asked to wait. */
export type SkipReason = BudgetRefusal | 'rate-limited'

/** Counts the requests to the endpoints of all chains. */
export type UpstreamMetrics = {
  /** Counts an HTTP request with its JSON-RPC calls and their units. */
  countSent(labels: EndpointLabels, sent: { calls: number; units: number }): void
  countOutcome(labels: EndpointLabels, outcome: RequestOutcome, seconds: number): void
  /** Counts a request that a second endpoint got as well. */
  countHedge(chain: string, winner: 'first' | 'second'): void
  /** Counts a request that an endpoint did not get. */
  countSkip(labels: EndpointLabels, reason: SkipReason): void
}

const labelNames = ['chain', 'provider'] as const
/** Upper bounds in seconds, up to the timeout of a request. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates the counters in a registry. */
export function createUpstreamMetrics(registry: Registry): UpstreamMetrics {
  const create = <const name extends string>(name: string, help: string, labels: readonly name[]): Counter<name> =>
    new Counter({ name: `latchkey_upstream_${name}`, help, labelNames: labels, registers: [registry] })
  const requests = create('requests_total', 'HTTP requests to endpoints.', [...labelNames, 'outcome'])
  const calls = create('calls_total', 'JSON-RPC calls to endpoints.', labelNames)
  const units = create('units_total', 'Units that the provider bills for the calls.', labelNames)
  const hedges = create('hedges_total', 'Requests that a second endpoint got as well.', ['chain', 'winner'])
  const skips = create('skips_total', 'Requests that an endpoint did not get.', [...labelNames, 'reason'])
  const latency = new Histogram({
    name: 'latchkey_upstream_request_seconds',
    help: 'Seconds until an endpoint responded.',
    labelNames,
    buckets,
    registers: [registry],
  })

  return {
    countSent(labels, sent) {
      calls.inc({ ...labels }, sent.calls)
      units.inc({ ...labels }, sent.units)
    },
    countOutcome(labels, outcome, seconds) {
      requests.inc({ ...labels, outcome })
      if (outcome !== 'cancelled') latency.observe({ ...labels }, seconds)
    },
    countHedge: (chain, winner) => hedges.inc({ chain, winner }),
    countSkip: (labels, reason) => skips.inc({ ...labels, reason }),
  }
}
