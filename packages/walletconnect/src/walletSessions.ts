import { readSessionNamespaces } from './grants.ts'
import { peerErrors } from './messages.ts'
import { sessionLifetime } from './session.ts'
import type { Wallet } from './wallet.ts'
import type { WalletPeer } from './walletReceiver.ts'

type WalletSessions = Pick<Wallet, 'updateSession' | 'extendSession' | 'emitEvent' | 'ping' | 'disconnect'>

/** Makes what a wallet does with a session of its own accord. */
export function createWalletSessions({ channel, clock, inbox, live, sessions }: WalletPeer): WalletSessions {
  return {
    async updateSession(topic, namespaces) {
      const updated = { ...live.get(topic), namespaces: readSessionNamespaces(namespaces) }
      await channel.request(topic, 'wc_sessionUpdate', { namespaces: updated.namespaces }).published
      live.save(updated)
    },

    async extendSession(topic) {
      const extended = { ...live.get(topic), expiry: Math.floor(clock.now() / 1000) + sessionLifetime }
      await channel.request(topic, 'wc_sessionExtend', { expiry: extended.expiry }).published
      live.save(extended)
    },

    async emitEvent(topic, event, chainId) {
      live.get(topic)
      await channel.tell(topic, 'wc_sessionEvent', { event, chainId })
    },

    async ping(topic) {
      live.get(topic)
      await channel.request(topic, 'wc_sessionPing', {}).answer
    },

    async disconnect(topic) {
      if (sessions.get(topic) === undefined) return
      const told = channel.tell(topic, 'wc_sessionDelete', peerErrors.disconnected)
      inbox.clear(topic)
      live.drop(topic)
      await told
    },
  }
}
