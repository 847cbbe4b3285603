import type { UpstreamMetrics } from '../chain/endpoints/upstreamMetrics.ts'
import type { Tracing } from './tracing.ts'

/**
 * Traces the requests to endpoints of chains, inside of traced requests only. The URL of an endpoint may contain a key, so a span
 * has the name of its provider.
 */
export function traceUpstream(metrics: UpstreamMetrics, tracing: Tracing): UpstreamMetrics {
  return {
    ...metrics,
    countOutcome(labels, outcome, seconds) {
      metrics.countOutcome(labels, outcome, seconds)
      const attributes = {
        'rpc.system': 'jsonrpc',
        'latchkey.chain': labels.chain,
        'latchkey.provider': labels.provider,
        'latchkey.outcome': outcome,
      }
      const startedAt = Date.now() - seconds * 1_000
      tracing.startChild('upstream request', { kind: 'client', attributes, startedAt })?.end(outcome === 'failed')
    },
  }
}
