import { createHash } from 'node:crypto'
import type { Registry } from 'prom-client'
import type { MetricsRoutes } from '../kit/metrics/serveMetrics.ts'
import { takeMetricsSnapshot, type MetricsSnapshot } from '../kit/metrics/metricsSnapshot.ts'
import { operatorPageCss, renderOperatorPage } from './operatorPage.ts'

/** An earlier view must not be older than this, in milliseconds, or its rates say nothing about now. */
const maxAgeMs = 5 * 60_000

/** Creates the page of the operator, which is served next to the metrics. */
export function createOperatorRoutes(registry: Registry): MetricsRoutes {
  const styleHash = createHash('sha256').update(operatorPageCss).digest('base64')
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  let last: MetricsSnapshot | undefined
  return {
    '/': async () => {
      const current = await takeMetricsSnapshot(registry, performance.now())
      const previous = last !== undefined && current.at - last.at <= maxAgeMs ? last : undefined
      last = current
      return { headers, body: renderOperatorPage(current, previous) }
    },
  }
}
