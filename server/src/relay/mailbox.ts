/** A message as its publisher gave it. */
export type Publication = {
  topic: string
  message: string
  /** Seconds. */
  ttl: number
  tag: number
  attestation: string
  /** The web origin of the publisher's page; empty when it is not known or the message asks nobody for anything. */
  origin: string
  /** The client id of the publisher, who never gets it back. */
  publisher: string
}

/** A message as it is kept. */
export type StoredMessage = {
  /** Grows with each message: the order in which a topic's messages are delivered. */
  sequence: number
  topic: string
  message: string
  tag: number
  attestation: string
  origin: string
  publisher: string
  /** Milliseconds since 1970. */
  publishedAt: number
  /** Milliseconds since 1970: when its time is over. */
  expiresAt: number
}

/** What became of a publication: kept, known already, or refused because the topic holds too much. */
export type Stored = { outcome: 'stored'; message: StoredMessage } | { outcome: 'repeat' } | { outcome: 'full' }

/** Messages in their order, as many as may be handled at once. */
export type MessagePage = { messages: readonly StoredMessage[]; hasMore: boolean }

/**
 * Messages until their time is over, and what each client has acknowledged of them. Every implementation passes
 * `describeMailbox`.
 */
export type Mailbox = {
  /**
   * Keeps a message. Resolves when it would survive the loss of the process; publications of one publisher keep
   * their order. The same text on the same topic is kept once as long as it lives.
   */
  store(publication: Publication): Promise<Stored>
  /**
   * A page of the living messages of a topic, oldest first, that a client neither published nor acknowledged and whose
   * sequence is greater than `after`.
   */
  undelivered(topic: string, client: string, after: number): Promise<MessagePage>
  /** Those of some topics on which something waits for a client. */
  waiting(topics: readonly string[], client: string): Promise<readonly string[]>
  /**
   * A page of what waits for a client on any topic, whether it listens there or not: the living messages that it neither
   * published nor acknowledged and whose sequence is greater than `after`.
   */
  unread(client: string, after: number): Promise<MessagePage>
  /**
   * Topics of messages that came after a sequence and that nobody acknowledged within some seconds, and the last
   * sequence that was looked at: those whose announcement was lost between processes are among them.
   *
   * @param after nothing looks at no message and tells where to begin
   */
  unheard(after?: number): Promise<{ topics: readonly string[]; last: number }>
  /** Remembers that a client has a message. */
  acknowledge(sequence: number, client: string): Promise<void>
  /** Deletes what is over; tells how many messages that were. */
  sweep(): Promise<number>
  /** Settles when everything under way is done. */
  idle(): Promise<void>
}
