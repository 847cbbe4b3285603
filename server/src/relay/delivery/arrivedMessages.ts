import type { RelayMessage } from '../mailbox/mailbox.ts'

/**
 * Messages that were broadcast to a connection before the subscriptions of their topics were live. Another connection of the
 * client, such as another tab, may acknowledge them before this one reads the mailbox.
 */
export type ArrivedMessages = { messages: readonly RelayMessage[] }

/** The most that a connection keeps. Further messages come from the mailbox only. */
const maxArrived = { messages: 32, characters: 256 * 1024 }

/** Keeps a message until all earlier ones of its topic were sent. */
export function keepArrived(arrived: ArrivedMessages, message: RelayMessage): void {
  const messages = [...arrived.messages, message]
  const characters = messages.reduce((sum, each) => sum + each.message.length, 0)
  if (messages.length > maxArrived.messages || characters > maxArrived.characters) return
  arrived.messages = messages.toSorted((one, other) => one.sequence - other.sequence)
}

/** Removes the messages of a topic with a sequence below the given one, and returns them in their order. */
export function takeArrived(arrived: ArrivedMessages, topic: string, below = Infinity): readonly RelayMessage[] {
  if (arrived.messages.length === 0) return arrived.messages
  const isTaken = (message: RelayMessage): boolean => message.topic === topic && message.sequence < below
  const taken = arrived.messages.filter(isTaken)
  if (taken.length > 0) arrived.messages = arrived.messages.filter((message) => !isTaken(message))
  return taken
}
