import type { OrderedMessage } from '../session/latestIds.ts'
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
  /** Compares a message, and remembers it as reported by this page. The caller stores its id with the session. */
  check(session: Session, kind: OrderedMessage, id: number): MessageAge
}

/**
 * Creates the order of messages. The relay, or a stranger who recorded its traffic, can deliver authentic messages again
 * at any time, so the newest ids are stored with the sessions. Tabs share them, and each page reports a message once.
 */
export function createMessageOrder(sessions: Pick<SessionStore, 'list'>): MessageOrder {
  const reported = new Map<string, number>()
  for (const { topic, latestIds = {} } of sessions.list()) {
    for (const [kind, id] of Object.entries(latestIds)) reported.set(`${topic} ${kind}`, id)
  }

  return {
    check({ topic, latestIds }, kind, id) {
      const key = `${topic} ${kind}`
      const reportedId = reported.get(key) ?? -Infinity
      // A tab that writes concurrently may have stored an older session.
      const latest = Math.max(latestIds?.[kind] ?? -Infinity, reportedId)
      if (id < latest) return 'outdated'
      if (id === reportedId) return 'repeated'
      reported.set(key, id)
      return id > latest ? 'new' : 'new here'
    },
  }
}
