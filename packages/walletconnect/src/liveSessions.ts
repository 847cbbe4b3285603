import type { EndReason } from '@latchkey/core'
import { walletConnectError } from './errors.ts'
import { peerErrors } from './messages.ts'
import type { Peer } from './peer.ts'
import { inBackground } from './promise.ts'
import type { Session } from './session.ts'

/** The sessions that are listened on, each until it ends or expires. */
export type LiveSessions = {
  /**
   * Takes up the stored sessions that still stand, and tells which those are. A key that has lost its session is used
   * once more, to tell the other side that it is over.
   *
   * @param others topics whose keys belong to something else
   */
  restore(others?: readonly string[]): readonly Session[]
  /** Stores a session, new or changed. */
  save(session: Session): void
  /** @throws LatchkeyError `session/not-found`, also when it just expired. */
  get(topic: string): Session
  /** Forgets a session and its key without a word. */
  drop(topic: string): void
  /** Forgets a session and its key because it was ended: by the other side unless another reason is given. */
  end(topic: string, reason?: EndReason): void
  /** The same for a session that is followed here and was ended by another part of this page. */
  lose(topic: string): void
  /** Stops all timers. */
  close(): void
}

/** @param onEnd called once for each session that ended by itself, when nothing is left of it */
export function createLiveSessions(peer: Peer, onEnd: (session: Session, reason: EndReason) => void): LiveSessions {
  const { sessions, keyring, relay, channel, expirer, clock } = peer
  const followed = new Map<string, Session>()
  const stopFollowingTabs = sessions.subscribe(() => {
    for (const topic of followed.keys()) if (sessions.get(topic) === undefined) end(topic, 'other-tab')
  })

  const isOver = ({ topic, expiry }: Session): boolean =>
    expiry * 1000 <= clock.now() || keyring.get(topic) === undefined

  function follow(session: Session): void {
    followed.set(session.topic, session)
    expirer.at(session.topic, session.expiry, () => end(session.topic, 'expired'))
  }

  function drop(topic: string): void {
    followed.delete(topic)
    expirer.cancel(topic)
    sessions.remove(topic)
    keyring.drop(topic)
    relay.unsubscribe(topic)
  }

  function end(topic: string, reason: EndReason = 'wallet'): void {
    const session = followed.get(topic)
    drop(topic)
    if (session !== undefined) onEnd(session, reason)
  }

  return {
    drop,
    end,
    lose(topic) {
      if (followed.has(topic)) end(topic, 'other-tab')
    },
    restore(others = []) {
      for (const topic of keyring.kept()) {
        if (others.includes(topic) || sessions.get(topic) !== undefined) continue
        inBackground(channel.tell(topic, 'wc_sessionDelete', peerErrors.disconnected))
        drop(topic)
      }
      for (const session of sessions.all()) {
        if (isOver(session)) end(session.topic, 'expired')
        else if (!followed.has(session.topic)) {
          follow(session)
          inBackground(relay.subscribe(session.topic))
        }
      }
      return sessions.all()
    },
    save(session) {
      sessions.save(session)
      follow(session)
    },
    get(topic) {
      const session = sessions.get(topic)
      if (session !== undefined && !isOver(session)) return session
      end(topic, 'expired')
      throw walletConnectError('session/not-found', { topic })
    },
    close() {
      stopFollowingTabs()
      expirer.cancelAll()
    },
  }
}
