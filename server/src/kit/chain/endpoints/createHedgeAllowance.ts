/** Bounds the requests that are sent to a second endpoint. */
export type HedgeAllowance = {
  /** Counts a request that may be hedged. */
  count(): void
  /** Uses the permission for one additional request. @returns false if there is none */
  take(): boolean
}

/** Additional requests are at most this share of all. */
const maxShare = 0.05
/** Maximum number of additional requests in a row. */
const maxInRow = 5

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
