/** The recent latencies of an endpoint, in milliseconds. */
export type Latencies = {
  add(milliseconds: number): void
  /** The delay after which a second endpoint gets the same request: the 95th percentile. */
  getHedgeDelay(): number
}

const keptLatencies = 100
const minLatencies = 20
const percentile = 0.95
/** Delay for a new endpoint, whose latencies are unknown. */
const defaultDelayMs = 1_000
/** Fast endpoints vary by some milliseconds, which is not worth a request. */
const minDelayMs = 50

/** Creates the latencies of an endpoint about which nothing is known. */
export function createLatencies(): Latencies {
  let latencies: readonly number[] = []
  return {
    add: (milliseconds) => void (latencies = [...latencies, milliseconds].slice(-keptLatencies)),
    getHedgeDelay() {
      if (latencies.length < minLatencies) return defaultDelayMs
      const sorted = latencies.toSorted((a, b) => a - b)
      return Math.max(minDelayMs, sorted[Math.ceil(percentile * sorted.length) - 1] ?? defaultDelayMs)
    },
  }
}
