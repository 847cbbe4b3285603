import { assertNamespacesCovered, parseSessionNamespaces } from '../session/sessionNamespaces.ts'
import { peerErrors } from '../channel/peerError.ts'
import { withLatestId } from '../session/latestIds.ts'
import { sessionLifetime } from '../session/session.ts'
import { assertEventApproved } from './assertEventApproved.ts'
import type { Wallet } from './wallet.ts'
import type { WalletClient } from './walletClient.ts'

type WalletSessions = Pick<Wallet, 'updateSession' | 'extendSession' | 'emitEvent' | 'ping' | 'disconnect'>

/** Creates the functions by which a wallet changes its sessions. */
export function createWalletSessions({
  channel,
  clock,
  inbox,
  activeSessions,
  sessions,
}: WalletClient): WalletSessions {
  /**
   * Creates an id that is higher than those of earlier pages. Dapps drop messages with lower ids, and the clock of a phone
   * may have been set back since.
   */
  function takeId(topic: string): number {
    const session = activeSessions.get(topic)
    const id = channel.nextId(session.latestIds?.sent)
    activeSessions.save(withLatestId(session, 'sent', id))
    return id
  }

  return {
    async updateSession(topic, namespaces) {
      const session = activeSessions.get(topic)
      const updated = parseSessionNamespaces(namespaces)
      assertNamespacesCovered(updated, session.requiredNamespaces ?? {})
      const id = takeId(topic)
      await channel.request(topic, 'wc_sessionUpdate', { namespaces: updated }, { id }).published
      activeSessions.save({ ...activeSessions.get(topic), namespaces: updated })
    },

    async extendSession(topic) {
      const id = takeId(topic)
      const expiry = Math.floor(clock.now() / 1000) + sessionLifetime
      await channel.request(topic, 'wc_sessionExtend', { expiry }, { id }).published
      activeSessions.save({ ...activeSessions.get(topic), expiry })
    },

    async emitEvent(topic, event, chainId) {
      assertEventApproved(activeSessions.get(topic), event.name, chainId)
      await channel.notify(topic, 'wc_sessionEvent', { event, chainId }, takeId(topic))
    },

    async ping(topic) {
      activeSessions.get(topic)
      await channel.request(topic, 'wc_sessionPing', {}).response
    },

    async disconnect(topic) {
      if (sessions.get(topic) === undefined) return
      const notified = channel.notify(topic, 'wc_sessionDelete', peerErrors.disconnected)
      inbox.removeTopic(topic)
      activeSessions.remove(topic)
      await notified
    },
  }
}
