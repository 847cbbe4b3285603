import type { EndReason } from '@latchkey/core'
import { peerErrors } from '../channel/peerError.ts'
import type { SignClient } from '../channel/signClient.ts'
import { runInBackground } from '../primitives/withResolvers.ts'
import { walletConnectError } from '../walletConnectError.ts'
import type { Session } from './session.ts'

/** The sessions that this page listens to, each until it ends or expires. */
export type ActiveSessions = {
  /**
   * Restores the stored sessions and returns those that are still valid. If a key no longer has a session, the other side
   * is notified that the session has ended, and the key is removed.
   *
   * @param otherTopics topics whose keys belong to something else
   */
  restore(otherTopics?: readonly string[]): readonly Session[]
  /** Stores a new or changed session. */
  save(session: Session): void
  /** @throws LatchkeyError `session/not-found`, including if the session has just expired */
  get(topic: string): Session
  /** Removes a session and its key without an event. */
  remove(topic: string): void
  /** Removes an ended session and its key. `reason` defaults to `wallet`: the other side ended it. */
  end(topic: string, reason?: EndReason): void
  /** Removes a session that another part of this page ended. Ignores sessions that are not followed here. */
  endInOtherTab(topic: string): void
  /** Stops all timers. */
  close(): void
}

/** @param onEnd called once for each session that ended on its own, after it is removed */
export function createActiveSessions(
  client: SignClient,
  onEnd: (session: Session, reason: EndReason) => void,
): ActiveSessions {
  const { sessions, expiryTimers, relay } = client
  const followed = new Map<string, Session>()
  const unsubscribeStore = sessions.subscribe(() => {
    for (const topic of followed.keys()) if (sessions.get(topic) === undefined) end(topic, 'other-tab')
  })

  function follow(session: Session): void {
    followed.set(session.topic, session)
    expiryTimers.set(session.topic, session.expiry, () => end(session.topic, 'expired'))
  }

  function remove(topic: string): void {
    followed.delete(topic)
    expiryTimers.cancel(topic)
    removeSessionAndKey(client, topic)
  }

  function end(topic: string, reason: EndReason = 'wallet'): void {
    const session = followed.get(topic)
    remove(topic)
    if (session !== undefined) onEnd(session, reason)
  }

  return {
    remove,
    end,
    endInOtherTab(topic) {
      if (followed.has(topic)) end(topic, 'other-tab')
    },
    restore(otherTopics = []) {
      endOrphanedKeys(client, otherTopics)
      for (const session of sessions.list()) {
        if (isSessionOver(client, session)) end(session.topic, 'expired')
        else if (!followed.has(session.topic)) {
          follow(session)
          runInBackground(relay.subscribe(session.topic))
        }
      }
      return sessions.list()
    },
    save(session) {
      sessions.save(session)
      follow(session)
    },
    get(topic) {
      const session = sessions.get(topic)
      if (session !== undefined && !isSessionOver(client, session)) return session
      end(topic, 'expired')
      throw walletConnectError('session/not-found', { topic })
    },
    close() {
      unsubscribeStore()
      expiryTimers.cancelAll()
    },
  }
}

function isSessionOver({ clock, keyring }: SignClient, { topic, expiry }: Session): boolean {
  return expiry * 1000 <= clock.now() || keyring.get(topic) === undefined
}

function removeSessionAndKey({ sessions, keyring, relay }: SignClient, topic: string): void {
  sessions.remove(topic)
  keyring.remove(topic)
  relay.unsubscribe(topic)
}

/** Deletes the sessions of keys that have lost their session here. */
function endOrphanedKeys(client: SignClient, otherTopics: readonly string[]): void {
  const { channel, keyring, sessions } = client
  for (const topic of keyring.storedTopics()) {
    if (otherTopics.includes(topic) || sessions.get(topic) !== undefined) continue
    runInBackground(channel.notify(topic, 'wc_sessionDelete', peerErrors.disconnected))
    removeSessionAndKey(client, topic)
  }
}
