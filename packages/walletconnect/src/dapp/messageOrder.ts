import type { RelayTime } from '../relay/relayTime.ts'
import { withLatestId, type OrderedMessage } from '../session/latestIds.ts'
import type { Session } from '../session/session.ts'
import type { SessionStore } from '../session/sessionStore.ts'

/**
 * The age of a wallet's message, compared with the newest of its kind that was accepted.
 *
 * - `new`: it is newer.
 * - `new here`: it is the newest one, and another tab has applied it.
 * - `repeated`: it is the newest one, and this page or an earlier one has applied it.
 * - `outdated`: it is older. A later one overtook it, or it is replayed.
 */
export type MessageAge = 'new' | 'new here' | 'repeated' | 'outdated'

/** The order of the wallets' messages, across page loads and tabs. */
export type MessageOrder = {
  /** Compares a message, and remembers it as reported by this page. The caller stores its id by `recordId`. */
  check(session: Session, kind: OrderedMessage, id: number): MessageAge
  /** Returns the session with the id as its newest of this kind. */
  recordId(session: Session, kind: OrderedMessage, id: number): Session
}

/**
 * The maximum in milliseconds by which a wallet's clock may be ahead. Ids beyond it count as ids of this limit: otherwise
 * nothing of a wallet would be accepted for as long as its clock had been ahead. [G-12]
 */
const maxAhead = 300_000

/**
 * Creates the order of messages. The relay, or a stranger who recorded its traffic, can deliver authentic messages again
 * at any time, so the newest ids are stored with the sessions. Tabs share them, and each page reports a message once.
 */
export function createMessageOrder(
  sessions: Pick<SessionStore, 'list'>,
  clock: Pick<RelayTime, 'now' | 'localNow'>,
): MessageOrder {
  const reported = new Map<string, { id: number; bound: number }>()
  for (const { topic, latestIds = {} } of sessions.list()) {
    for (const [kind, id] of Object.entries(latestIds)) reported.set(`${topic} ${kind}`, { id, bound: id })
  }
  // A hostile relay can set its time back, but not that of this device. Ids begin with the time in milliseconds.
  const boundOf = (id: number): number => Math.min(id, (Math.max(clock.now(), clock.localNow()) + maxAhead) * 1000)

  return {
    check({ topic, latestIds }, kind, id) {
      const key = `${topic} ${kind}`
      const last = reported.get(key)
      if (id === last?.id) return 'repeated'
      const stored = latestIds?.[kind] ?? -Infinity
      // A tab that writes concurrently may have stored an older session.
      if (id < Math.max(stored, last?.bound ?? -Infinity)) return 'outdated'
      reported.set(key, { id, bound: boundOf(id) })
      return id === stored ? 'new here' : 'new'
    },
    recordId: (session, kind, id) => withLatestId(session, kind, boundOf(id)),
  }
}
