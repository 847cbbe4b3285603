/** A message to be stored, as its publisher sent it. */
export type NewRelayMessage = {
  topic: string
  message: string
  /** Seconds. */
  ttl: number
  tag: number
  attestation: string
  /** The web origin of the publisher's page. Empty if it is unknown, or the message is not a request to a user. */
  origin: string
  /** The client id of the publisher, which never gets its own message. */
  publisher: string
}

/** A stored message. */
export type RelayMessage = Omit<NewRelayMessage, 'ttl'> & {
  /** Unique. Increases with each message of a topic, which are delivered in this order. */
  sequence: number
  /** Milliseconds since 1970. */
  publishedAt: number
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The trace of the publish, if it is recorded. It is not stored, and clients don't get it. */
  traceparent?: string
  /**
   * The sequence of the message before this one in its topic, or 0; only in the result of `store`, and only if the store knows
   * it. A process that has not received that message has missed it.
   */
  previous?: number
}

/** The result of storing a message: stored, a duplicate, or refused because the mailbox is full. */
export type StoreResult = { outcome: 'stored'; message: RelayMessage } | { outcome: 'duplicate' } | { outcome: 'full' }

/**
 * Names a stored message. With `publishedAt`, the message is only the one that was published then: after the loss of a server
 * its sequence may name another.
 */
export type Receipt = Pick<RelayMessage, 'topic' | 'sequence'> & Partial<Pick<RelayMessage, 'publishedAt'>>

/** Messages in their order, as many as can be processed at once. */
export type MessagePage = { messages: readonly RelayMessage[]; hasMore: boolean }

/** A place in the messages of all topics, in the implementation's own form. 0 is the start. */
export type MailboxPosition = number | string

/** Messages of all topics, and the position to continue from. */
export type PositionedPage = MessagePage & { position: MailboxPosition }

/**
 * Stores messages until they expire, and the acknowledgements of each client. Every implementation passes
 * `describeMailbox`.
 */
export type Mailbox = {
  /**
   * Stores a message. Resolves when it would survive the loss of the process. Messages of one publisher keep their order.
   * The same text on the same topic is stored once until it expires.
   */
  store(message: NewRelayMessage): Promise<StoreResult>
  /**
   * Lists a page of a topic's unexpired messages, oldest first, that a client neither published nor acknowledged.
   *
   * @param after only messages with a greater sequence
   * @param since when the client requested the first page, in milliseconds since 1970: the oldest requests are served
   *   first; now by default
   */
  listUndelivered(topic: string, client: string, after: number, since?: number): Promise<MessagePage>
  /** Lists one page of the undelivered messages of several topics, in the order of the topics. */
  listUndeliveredOnTopics(topics: readonly string[], client: string): Promise<MessagePage>
  /** Like `listUndelivered`, over all topics, subscribed or not. Only messages of one topic are in order. */
  listAllUndelivered(client: string, after: MailboxPosition): Promise<PositionedPage>
  /**
   * Finds the topics of messages that no client acknowledged within some seconds. If an announcement between processes was
   * lost, its topic is among them.
   *
   * @param after only messages behind this position; omit it to get the first one
   * @returns the topics, and the last position that was checked
   */
  findUnacknowledgedTopics(after?: MailboxPosition): Promise<{ topics: readonly string[]; last: MailboxPosition }>
  /** Filters receipts by those that name an undelivered message of a client, by its topic and sequence. */
  filterUndelivered(receipts: readonly Receipt[], client: string): Promise<readonly Receipt[]>
  /** Records that a client has received a message that was delivered to it. */
  acknowledge(receipt: Receipt, client: string): Promise<void>
  /** Deletes expired messages. @returns their number */
  deleteExpired(): Promise<number>
  /**
   * Calls a listener when messages of some topics may have other sequences than before, because the store has lost a server. What
   * is known about their sequences has to be forgotten then.
   */
  onRenumbered?(listener: (isAffected: (topic: string) => boolean) => void): void
  /** Resolves when all pending writes are done. */
  idle(): Promise<void>
}
