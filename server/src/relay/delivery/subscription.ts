import { hash } from 'node:crypto'
import { addSequence, createSentSequences, forgetEarliest, type SentSequences } from './sentSequences.ts'

/**
 * The delivery state of one topic on one connection.
 *
 * - `new`: the subscribe request has no response yet.
 * - `catching up`: stored messages are being sent.
 * - `live`: all stored messages were sent, and broadcast messages are sent at once.
 * - `stopped`: the client or the database could not go on.
 *
 * Unless a subscription is live, it gets broadcast messages from the mailbox, in their order.
 */
export type Subscription = {
  readonly id: string
  readonly topic: string
  /** Resolves when messages of other processes are no longer missed. */
  readonly ready: Promise<void> | undefined
  state: 'new' | 'catching up' | 'live' | 'stopped'
  /** All messages up to this sequence have been read from the mailbox. */
  readUpTo: number
  /** The lowest sequence that must be read again. */
  rereadFrom: number | undefined
  /**
   * The sequences sent last. Processes store concurrently, so that a later message may be broadcast first, and a process that
   * lost its connection for a time broadcasts messages with much lower sequences.
   */
  sent: SentSequences | undefined
}

/** A live subscription remembers at least as many sequences as it sent last. Clients ignore duplicates anyway. */
const minRemembered = 64

/** Creates a client's subscription. Clients compute its id themselves. */
export function createSubscription(topic: string, clientId: string, ready: Promise<void> | undefined): Subscription {
  return {
    id: hash('sha256', topic + clientId),
    topic,
    ready,
    state: 'new',
    readUpTo: 0,
    rereadFrom: undefined,
    sent: undefined,
  }
}

/** Makes the next catch-up read the mailbox from a sequence on. */
export function rereadFromSequence(subscription: Subscription, sequence: number): void {
  subscription.rereadFrom = Math.min(subscription.rereadFrom ?? Infinity, sequence)
}

/** Remembers a sequence as sent. A catch-up remembers all of them, because broadcasts may make it read them again. */
export function recordSent(subscription: Subscription, sequence: number): void {
  subscription.sent ??= createSentSequences()
  addSequence(subscription.sent, sequence)
  if (subscription.state !== 'catching up') forgetEarliest(subscription.sent, minRemembered)
}

/** Forgets which messages were read and sent, because their sequences may name other messages now. */
export function forgetSequences(subscription: Subscription): void {
  subscription.readUpTo = 0
  subscription.sent = undefined
}

/** From now on broadcast messages are sent at once. */
export function markLive(subscription: Subscription): void {
  subscription.state = 'live'
  if (subscription.sent !== undefined) forgetEarliest(subscription.sent, minRemembered)
}
