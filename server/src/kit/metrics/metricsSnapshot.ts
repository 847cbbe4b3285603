import type { Registry } from 'prom-client'

/** One value of a metric. */
export type Sample = { labels: Readonly<Record<string, string>>; value: number }

/** The values of all metrics at a time, by name. */
export type MetricsSnapshot = {
  /** Milliseconds, of a clock that only runs forward. */
  at: number
  list(name: string): readonly Sample[]
}

/** Reads all metrics. */
export async function takeMetricsSnapshot(registry: Registry, at: number): Promise<MetricsSnapshot> {
  const samples = new Map<string, Sample[]>()
  for (const { name, values } of await registry.getMetricsAsJSON()) {
    for (const reported of values) {
      // Histograms report several names.
      const seriesName: unknown = Reflect.get(reported, 'metricName') ?? name
      const labels = Object.fromEntries(Object.entries(reported.labels).map(([key, value]) => [key, String(value)]))
      const list = samples.get(String(seriesName)) ?? []
      list.push({ labels, value: reported.value })
      samples.set(String(seriesName), list)
    }
  }
  return { at, list: (name) => samples.get(name) ?? [] }
}

/** Sums the values of a metric. @param isCounted chooses by labels; all by default */
export function sumSamples(
  snapshot: MetricsSnapshot,
  name: string,
  isCounted: (labels: Sample['labels']) => boolean = () => true,
): number {
  return snapshot.list(name).reduce((sum, { labels, value }) => (isCounted(labels) ? sum + value : sum), 0)
}

/** Estimates a quantile of a histogram by the upper bound of its bucket, in seconds. `undefined` without observations. */
export function estimateQuantile(snapshot: MetricsSnapshot, name: string, quantile: number): number | undefined {
  const buckets = snapshot.list(`${name}_bucket`)
  const total = buckets.at(-1)?.value ?? 0
  if (total === 0) return undefined
  const bucket = buckets.find(({ value }) => value >= total * quantile)
  return Number((bucket?.labels['le'] ?? '+Inf').replace('+Inf', 'Infinity'))
}
