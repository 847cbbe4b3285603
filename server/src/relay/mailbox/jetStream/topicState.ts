import { formatMessageKey, type MessageHeader, type ReceiptPart } from './messageHeader.ts'

/** The messages of a topic as a process knows them, without their texts. Sequences are those of the stream. */
export type TopicState = {
  /** A state of an earlier generation is not kept. See `TopicLogs.forgetPartition`. */
  readonly generation: number
  readonly messages: Map<number, MessageHeader>
  /** The sequence of the last message with a digest. */
  readonly digests: Map<string, number>
  /** The receivers of each message. */
  readonly receipts: Map<number, Set<string>>
  /** The receivers of messages that were not read yet, by `formatMessageKey`. Their sequences may name other messages. */
  readonly early: Map<string, Set<string>>
  /** All messages, and all receipts, up to these sequences were read. */
  lastMessage: number
  lastReceipt: number
  /** Messages that no client has acknowledged, expired ones included until they are forgotten. */
  undelivered: { messages: number; bytes: number }
  /** One of the messages may expire then. */
  earliestExpiry: number
  /** Number of messages from which expired ones are removed from memory. */
  forgetAt: number
}

/** The fewest messages that are worth searching for expired ones. */
const minForgotten = 100

/** Creates the state of a topic without messages. */
export function createTopicState(generation = 0): TopicState {
  return {
    generation,
    messages: new Map(),
    digests: new Map(),
    receipts: new Map(),
    early: new Map(),
    lastMessage: 0,
    lastReceipt: 0,
    undelivered: { messages: 0, bytes: 0 },
    earliestExpiry: Infinity,
    forgetAt: minForgotten,
  }
}

/** Adds a message. Idempotent, because a process may read its own message before the response to its append. */
export function addMessage(state: TopicState, sequence: number, header: MessageHeader): void {
  state.lastMessage = Math.max(state.lastMessage, sequence)
  if (state.messages.has(sequence)) return
  state.messages.set(sequence, header)
  state.digests.set(header.digest, sequence)
  state.earliestExpiry = Math.min(state.earliestExpiry, header.expiresAt)
  const early = state.early.get(formatMessageKey(header))
  if (early !== undefined) {
    state.early.delete(formatMessageKey(header))
    state.receipts.set(sequence, early)
  }
  if (state.receipts.has(sequence)) return
  state.undelivered.messages += 1
  state.undelivered.bytes += header.bytes
}

/**
 * Adds a receipt. The message may be read later than its receipt; a receipt of a forgotten message is ignored.
 *
 * @returns true if it is the first one of the message
 */
export function addReceipt(state: TopicState, receipt: ReceiptPart): boolean {
  const { receiver, message } = receipt
  const sequence = findSequence(state, receipt)
  const header = state.messages.get(sequence)
  if (header === undefined && receipt.sequence <= state.lastMessage) return false
  if (header === undefined && message !== undefined)
    return addReceiver(state.early, formatMessageKey(message), receiver)
  if (!addReceiver(state.receipts, sequence, receiver)) return false
  if (header === undefined) return true
  state.undelivered.messages -= 1
  state.undelivered.bytes -= header.bytes
  return true
}

/** @returns true if it is the first one of the key */
function addReceiver<key>(receivers: Map<key, Set<string>>, key: key, receiver: string): boolean {
  const known = receivers.get(key)
  known?.add(receiver)
  if (known === undefined) receivers.set(key, new Set([receiver]))
  return known === undefined
}

/** Finds the sequence that the message of a receipt has now; 0 if the message is none of the known ones. */
function findSequence({ messages, digests }: TopicState, { sequence, message }: ReceiptPart): number {
  if (message === undefined) return sequence
  const isMessage = (candidate: number): boolean => {
    const found = messages.get(candidate)
    return found?.digest === message.digest && found.publishedAt === message.publishedAt
  }
  if (isMessage(sequence)) return sequence
  const moved = digests.get(message.digest) ?? 0
  return isMessage(moved) ? moved : 0
}

/** Forgets expired messages, if there may be any. */
export function forgetExpired(state: TopicState, now: number): void {
  if (state.earliestExpiry > now) return
  let earliest = Infinity
  for (const [sequence, header] of state.messages) {
    if (header.expiresAt > now) earliest = Math.min(earliest, header.expiresAt)
    else forget(state, sequence, header)
  }
  state.earliestExpiry = earliest
  state.forgetAt = Math.max(minForgotten, state.messages.size * 2)
}

function forget(state: TopicState, sequence: number, header: MessageHeader): void {
  state.messages.delete(sequence)
  if (state.digests.get(header.digest) === sequence) state.digests.delete(header.digest)
  if (state.receipts.delete(sequence)) return
  state.undelivered.messages -= 1
  state.undelivered.bytes -= header.bytes
}

/** Lists the unexpired messages of a topic that a client neither published nor acknowledged, in their order. */
export function listUndelivered(
  state: TopicState,
  { receiver, after, now }: { receiver: string; after: number; now: number },
): readonly { sequence: number; header: MessageHeader }[] {
  const list: { sequence: number; header: MessageHeader }[] = []
  for (const [sequence, header] of state.messages) {
    if (sequence <= after || header.expiresAt <= now || header.publisher === receiver) continue
    if (state.receipts.get(sequence)?.has(receiver) === true) continue
    list.push({ sequence, header })
  }
  // Concurrent reads may add messages in any order.
  return list.toSorted((one, other) => one.sequence - other.sequence)
}
