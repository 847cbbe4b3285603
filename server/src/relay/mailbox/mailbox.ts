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
  /** Increases with each message: a topic's messages are delivered in this order. */
  sequence: number
  /** Milliseconds since 1970. */
  publishedAt: number
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** The result of storing a message: stored, a duplicate, or refused because the mailbox is full. */
export type StoreResult = { outcome: 'stored'; message: RelayMessage } | { outcome: 'duplicate' } | { outcome: 'full' }

/** Names a stored message. */
export type Receipt = Pick<RelayMessage, 'topic' | 'sequence'>

/** Messages in their order, as many as can be processed at once. */
export type MessagePage = { messages: readonly RelayMessage[]; hasMore: boolean }

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
  /** Like `listUndelivered`, over all topics, subscribed or not. */
  listAllUndelivered(client: string, after: number): Promise<MessagePage>
  /**
   * Finds the topics of messages that no client acknowledged within some seconds. If an announcement between processes was
   * lost, its topic is among them.
   *
   * @param after only messages with a greater sequence; omit it to get the first value
   * @returns the topics, and the last sequence that was checked
   */
  findUnacknowledgedTopics(after?: number): Promise<{ topics: readonly string[]; last: number }>
  /** Filters receipts by those that name an undelivered message of a client, by its topic and sequence. */
  filterUndelivered(receipts: readonly Receipt[], client: string): Promise<readonly Receipt[]>
  /** Records that a client has received a message. */
  acknowledge(sequence: number, client: string): Promise<void>
  /** Deletes expired messages. @returns their number */
  deleteExpired(): Promise<number>
  /** Resolves when all pending writes are done. */
  idle(): Promise<void>
}
