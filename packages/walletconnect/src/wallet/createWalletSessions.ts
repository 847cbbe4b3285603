import { assertNamespacesCovered, parseSessionNamespaces } from '../session/sessionNamespaces.ts'
import { peerErrors } from '../channel/peerError.ts'
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
  return {
    async updateSession(topic, namespaces) {
      const session = activeSessions.get(topic)
      const updated = { ...session, namespaces: parseSessionNamespaces(namespaces) }
      assertNamespacesCovered(updated.namespaces, session.requiredNamespaces ?? {})
      await channel.request(topic, 'wc_sessionUpdate', { namespaces: updated.namespaces }).published
      activeSessions.save(updated)
    },

    async extendSession(topic) {
      const extended = { ...activeSessions.get(topic), expiry: Math.floor(clock.now() / 1000) + sessionLifetime }
      await channel.request(topic, 'wc_sessionExtend', { expiry: extended.expiry }).published
      activeSessions.save(extended)
    },

    async emitEvent(topic, event, chainId) {
      assertEventApproved(activeSessions.get(topic), event.name, chainId)
      await channel.notify(topic, 'wc_sessionEvent', { event, chainId })
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
