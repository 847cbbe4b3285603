/** The recent latencies of an endpoint, in milliseconds. */
export type Latencies = {
  add(milliseconds: number): void
  /** The delay after which a second endpoint gets the same request: the 95th percentile. */
  getHedgeDelay(): number
}

/** Bounds the requests that are sent to a second endpoint. */
export type HedgeAllowance = {
  /** Counts a request that may be hedged. */
  count(): void
  /** Takes the permission for one additional request, if there is one. */
  take(): boolean
}

const keptLatencies = 100
const minLatencies = 20
const percentile = 0.95
/** A new endpoint gets so long to respond. */
const defaultDelayMs = 1_000
/** Fast endpoints vary by some milliseconds, which is not worth a request. */
const minDelayMs = 50
/** Additional requests are at most this share of all. */
const maxShare = 0.05
/** So many additional requests may be made in a row. */
const maxInRow = 5

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

/** Creates the allowance of a chain, which permits one additional request at first. */
export function createHedgeAllowance(): HedgeAllowance {
  let allowed = 1
  return {
    count: () => void (allowed = Math.min(maxInRow, allowed + maxShare)),
    take() {
      // Rounding must not lose a permission: twenty shares are one request.
      if (allowed < 1 - 1e-9) return false
      allowed -= 1
      return true
    },
  }
}
