import { Histogram, type HistogramConfiguration, type Registry } from 'prom-client'

/** A histogram without labels. */
export type Distribution = { observe(value: number): void }

export type DistributionOptions = {
  name: string
  help: string
  /** The upper bounds, in ascending order. */
  buckets: readonly number[]
}

type ReportedValue = Awaited<ReturnType<Histogram['get']>>['values'][number]

/** Reports numbers that are counted elsewhere. */
class StoredHistogram extends Histogram {
  readonly #configuration: HistogramConfiguration<string>
  readonly #report: () => readonly ReportedValue[]

  constructor(configuration: HistogramConfiguration<string>, report: () => readonly ReportedValue[]) {
    super(configuration)
    this.#configuration = configuration
    this.#report = report
  }

  /** The registry reads all histograms with this method, which the types of the library leave out. */
  async getForPromString(): Promise<object> {
    const { name, help } = this.#configuration
    // The library expects labels that all values share.
    const values = this.#report().map((value) => ({ ...value, sharedLabels: {} }))
    return { name, help, type: 'histogram', aggregator: 'sum', values }
  }
}

/**
 * Creates a histogram for paths that run for each message: observing a value allocates nothing.
 *
 * @example
 * const seconds = createDistribution(registry, { name: 'store_seconds', help: 'Seconds.', buckets: [0.01, 0.1, 1] })
 * seconds.observe(0.02)
 */
export function createDistribution(registry: Registry, { name, help, buckets }: DistributionOptions): Distribution {
  const counts = new Float64Array(buckets.length + 1)
  let sum = 0

  function report(): readonly ReportedValue[] {
    let total = 0
    const values = [...buckets, '+Inf'].map((le, index) => {
      total += counts[index] ?? 0
      return { metricName: `${name}_bucket`, labels: { le }, value: total }
    })
    return [
      ...values,
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: total },
    ]
  }

  registry.registerMetric(new StoredHistogram({ name, help, buckets: [...buckets], registers: [] }, report))
  return {
    observe(value) {
      let index = 0
      while (value > (buckets[index] ?? Infinity)) index += 1
      counts[index] = (counts[index] ?? 0) + 1
      sum += value
    },
  }
}
