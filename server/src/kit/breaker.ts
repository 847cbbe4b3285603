import type { Clock } from './clock.ts'

/** Leaves somebody alone who fails too often. */
export type Breaker = {
  /** Whether he may be asked now. */
  isOpen(): boolean
  note(ok: boolean): void
}

/** In milliseconds: how far back failures count, and how long somebody is left alone. */
const patience = { window: 10_000, shut: 5_000 } as const
const limits = { share: 0.5, least: 20 } as const

/** Shuts when half of at least twenty questions in ten seconds failed; after five seconds one question decides. */
export function createBreaker(clock: Clock): Breaker {
  let noted: { ok: boolean; at: number }[] = []
  let shutUntil = 0
  return {
    isOpen: () => clock.now() >= shutUntil,
    note(ok) {
      const now = clock.now()
      if (shutUntil > 0) {
        shutUntil = ok ? 0 : now + patience.shut
        noted = []
        return
      }
      noted = [...noted.filter(({ at }) => now - at < patience.window), { ok, at: now }]
      const failed = noted.filter((each) => !each.ok).length
      if (noted.length >= limits.least && failed / noted.length >= limits.share) shutUntil = now + patience.shut
    },
  }
}
