import type { SignClient } from '../channel/signClient.ts'
import type { ActiveSessions } from '../session/activeSessions.ts'
import type { Inbox } from './inbox.ts'

/** The components of a wallet. */
export type WalletClient = SignClient & { readonly inbox: Inbox; readonly activeSessions: ActiveSessions }

/** Removes a pairing, its key and its proposal. Idempotent. */
export function endPairing({ expiryTimers, inbox, keyring, relay }: WalletClient, topic: string): void {
  expiryTimers.cancel(topic)
  inbox.removeTopic(topic)
  keyring.remove(topic)
  relay.unsubscribe(topic)
}
