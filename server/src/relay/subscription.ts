import { hash } from 'node:crypto'

/**
 * What one connection has of a topic. It is `new` until its answer is sent, `level` when everything stored was sent,
 * and `stopped` when the client or the database could not go on. Only a level one is sent what is announced: the others
 * find that in the mailbox, in its order.
 */
export type Subscription = {
  readonly id: string
  readonly topic: string
  /** Settles when nothing that other processes announce is missed any more. */
  readonly heard: Promise<void> | undefined
  state: 'new' | 'catching up' | 'level' | 'stopped'
  /** Everything in the mailbox up to this sequence has been looked at. */
  read: number
  /** The lowest sequence that is to be looked at again. */
  missed: number | undefined
  /** The sequences sent last. Processes store side by side, so that a later one may be announced first. */
  sent: Set<number> | undefined
}

/** How many sequences a level one remembers as sent; a message that comes twice all the same is dropped by the client. */
const remembered = 128

/** Makes a client's subscription. Its id is the one that clients work out for themselves. */
export function createSubscription(topic: string, clientId: string, heard: Promise<void> | undefined): Subscription {
  return {
    id: hash('sha256', topic + clientId),
    topic,
    heard,
    state: 'new',
    read: 0,
    missed: undefined,
    sent: undefined,
  }
}

/** Has the mailbox looked at again from a sequence on. */
export function lookAgain(subscription: Subscription, sequence: number): void {
  subscription.missed = Math.min(subscription.missed ?? Infinity, sequence)
}

/** Remembers a sequence as sent. While it catches up everything is: what is announced meanwhile has it look back as far. */
export function noteSent(subscription: Subscription, sequence: number): void {
  subscription.sent ??= new Set()
  subscription.sent.add(sequence)
  if (subscription.state !== 'catching up') forgetOldest(subscription)
}

/** Has it level: from now on it is sent what is announced. */
export function makeLevel(subscription: Subscription): void {
  subscription.state = 'level'
  forgetOldest(subscription)
}

function forgetOldest({ sent }: Subscription): void {
  if (sent === undefined) return
  for (const oldest of sent) {
    if (sent.size <= remembered) return
    sent.delete(oldest)
  }
}
