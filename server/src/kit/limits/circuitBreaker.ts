import type { Clock } from '../runtime/clock.ts'

/** Closed: requests pass. Open: they are refused. Half-open: the next result decides. */
export type CircuitState = 'closed' | 'open' | 'half-open'

/** Stops requests to an upstream that fails too often. */
export type CircuitBreaker = {
  state(): CircuitState
  /** True unless the circuit is open. */
  allowsRequests(): boolean
  /** Records the result of a request. */
  record(ok: boolean): void
}

const windowMs = 10_000
const openMs = 5_000
const minRequests = 20
const maxFailureShare = 0.5

/**
 * Creates a closed circuit. It opens when half of at least 20 requests within 10 seconds failed. After 5 seconds it is
 * half-open, and one result closes or opens it.
 */
export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  let results: { ok: boolean; at: number }[] = []
  let openUntil: number | undefined

  function state(): CircuitState {
    if (openUntil === undefined) return 'closed'
    return clock.now() < openUntil ? 'open' : 'half-open'
  }

  return {
    state,
    allowsRequests: () => state() !== 'open',
    record(ok) {
      const now = clock.now()
      if (openUntil !== undefined) {
        openUntil = ok ? undefined : now + openMs
        results = []
        return
      }
      results = [...results.filter(({ at }) => now - at < windowMs), { ok, at: now }]
      const failures = results.filter((result) => !result.ok).length
      if (results.length >= minRequests && failures / results.length >= maxFailureShare) openUntil = now + openMs
    },
  }
}
