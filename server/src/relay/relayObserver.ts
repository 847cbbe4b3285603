import type { RelayMessage } from './mailbox/mailbox.ts'

/**
 * Observes the events of the relay in this process, such as watches and the bridge do. The relay does not wait for
 * observers, and they catch their own errors.
 */
export type RelayObserver = {
  /** A client subscribed to a topic over one of its connections. */
  subscribed?(topic: string, clientId: string): void
  /** A client unsubscribed from a topic. */
  unsubscribed?(topic: string, clientId: string): void
  /** The connection of a subscribed client ended. The client may come back. */
  disconnected?(topic: string, clientId: string): void
  /**
   * A new message was stored.
   *
   * @param isPrompt true if its publisher requests a push notification
   */
  messageStored?(message: RelayMessage, isPrompt?: boolean): void
  /** A client acknowledged a message. */
  messageDelivered?(topic: string, sequence: number, clientId: string): void
}

/** Combines observers into one. */
export function combineObservers(observers: readonly RelayObserver[]): Required<RelayObserver> {
  return {
    subscribed: (topic, clientId) => observers.forEach((observer) => observer.subscribed?.(topic, clientId)),
    unsubscribed: (topic, clientId) => observers.forEach((observer) => observer.unsubscribed?.(topic, clientId)),
    disconnected: (topic, clientId) => observers.forEach((observer) => observer.disconnected?.(topic, clientId)),
    messageStored: (message, isPrompt) => observers.forEach((observer) => observer.messageStored?.(message, isPrompt)),
    messageDelivered: (topic, sequence, clientId) =>
      observers.forEach((observer) => observer.messageDelivered?.(topic, sequence, clientId)),
  }
}
