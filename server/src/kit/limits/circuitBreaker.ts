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
  const window = createResultWindow()
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
        window.clear()
        return
      }
      const { total, failed } = window.add(ok, now)
      if (total >= minRequests && failed / total >= maxFailureShare) openUntil = now + openMs
    },
  }
}

type Counts = { total: number; failed: number }

/** Counts the results of the last ten seconds. An upstream has thousands of them, so that none is visited twice. */
function createResultWindow(): { add(ok: boolean, now: number): Counts; clear(): void } {
  /** The results of a millisecond, the oldest first. */
  let groups: (Counts & { at: number })[] = []
  /** Groups before this one have expired. */
  let start = 0
  const sum: Counts = { total: 0, failed: 0 }

  function expire(now: number): void {
    for (let group = groups[start]; group !== undefined && now - group.at >= windowMs; group = groups[start]) {
      sum.total -= group.total
      sum.failed -= group.failed
      start += 1
    }
    if (start <= groups.length / 2) return
    groups = groups.slice(start)
    start = 0
  }

  return {
    add(ok, now) {
      expire(now)
      const last = groups.at(-1)
      const group = last?.at === now ? last : { at: now, total: 0, failed: 0 }
      if (group !== last) groups.push(group)
      for (const counts of [group, sum]) {
        counts.total += 1
        counts.failed += ok ? 0 : 1
      }
      return sum
    },
    clear() {
      groups = []
      start = 0
      sum.total = 0
      sum.failed = 0
    },
  }
}
