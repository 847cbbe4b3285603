import type { StoredMessage } from './mailbox.ts'

/**
 * What happens in this process of the relay, told to those parts that follow it, such as watches and the bridge. Nobody
 * waits for them, and what they throw is theirs to catch.
 */
export type RelayTap = {
  /** A client listens on a topic from now on, over one of its connections. */
  subscribed?(topic: string, clientId: string): void
  /** A client asked to listen no longer. */
  unsubscribed?(topic: string, clientId: string): void
  /** The connection over which a client listened is gone; the client may come back. */
  left?(topic: string, clientId: string): void
  /** A message is kept that was not known before. */
  accepted?(message: StoredMessage): void
  /** A client has a message. */
  delivered?(topic: string, sequence: number, clientId: string): void
}

/** Tells several followers as one. */
export function joinTaps(taps: readonly RelayTap[]): Required<RelayTap> {
  return {
    subscribed: (topic, clientId) => taps.forEach((tap) => tap.subscribed?.(topic, clientId)),
    unsubscribed: (topic, clientId) => taps.forEach((tap) => tap.unsubscribed?.(topic, clientId)),
    left: (topic, clientId) => taps.forEach((tap) => tap.left?.(topic, clientId)),
    accepted: (message) => taps.forEach((tap) => tap.accepted?.(message)),
    delivered: (topic, sequence, clientId) => taps.forEach((tap) => tap.delivered?.(topic, sequence, clientId)),
  }
}
