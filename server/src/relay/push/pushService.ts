/** A push service by the name that clients register with. */
export type PushServiceName = 'web' | 'fcm' | 'apns' | 'apns-sandbox'

/** A notification that wakes a client. It has the sealed message, and nothing that the relay could read. */
export type PushNotification = {
  topic: string
  tag: number
  /** The sealed message; `undefined` if it is too large for a notification. The client then fetches it from the relay. */
  message: string | undefined
  /** Milliseconds since 1970. */
  expiresAt: number
  /** True if the client decrypts the message and shows a text itself. */
  isRaw: boolean
}

/**
 * The response of a push service: `sent`, `gone` if the token is no longer valid, `refused` permanently, or `failed`
 * temporarily, with the requested delay in milliseconds.
 */
export type PushResult =
  | { outcome: 'sent' }
  | { outcome: 'gone' }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'failed'; reason: string; retryAfterMs?: number }

/** Sends notifications over one push service. Every implementation passes `describePushService`. */
export type PushService = {
  readonly name: PushServiceName
  /**
   * Parses the token that a client registers.
   *
   * @returns the token in the form that `send` expects
   * @throws Problem 400 `token`
   */
  parseToken(token: string): string
  /** Sends a notification. A service that can't be reached is an outcome, not an error. */
  send(token: string, notification: PushNotification): Promise<PushResult>
  close(): Promise<void>
}

/**
 * The most characters of a message in a notification. Push services accept 4,096 bytes: this leaves 900 for the topic, the tag,
 * the encryption and the names of the fields.
 */
export const maxPushedMessage = 3_100

/** The fields that wallets read: the names of the push server's specification. */
export function toPushedFields({ topic, tag, message }: PushNotification): {
  topic: string
  tag: number
  message?: string
} {
  return { topic, tag, ...(message !== undefined && { message }) }
}

/** The texts of the push server's specification, for clients that show no text of their own. */
export const requestText = { title: 'Signature required', body: 'You have a message to sign' } as const

const textTags: readonly number[] = [1100, 1108]

/** True if the push service shows a text: for proposals and requests of clients that don't decrypt messages. */
export function needsText({ tag, isRaw }: PushNotification): boolean {
  return !isRaw && textTags.includes(tag)
}
