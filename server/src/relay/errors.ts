/** An error response of the relay: code, message and machine-readable tag, as clients expect them. */
export class RelayError extends Error {
  override readonly name: string = 'RelayError'
  readonly code: number
  readonly data: string | undefined

  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The error of an invalid request. */
export function invalidPayload(data: string, detail: string): RelayError {
  return new RelayError(-32600, `Invalid payload: ${detail}`, data)
}

export function invalidParams(detail: string): RelayError {
  return invalidPayload('InvalidParams', detail)
}

export function tooManyRequests(): RelayError {
  return new RelayError(3001, 'Too many requests')
}

/** The error of a publish to a topic with too many undelivered messages. */
export function mailboxFull(): RelayError {
  return new RelayError(-32050, 'mailbox full', 'MailboxLimitExceeded')
}

/** The error of a publish beyond the bytes that its address, its project or all clients may store. */
export function storageFull(): RelayError {
  return new RelayError(-32050, 'storage full', 'StorageLimitExceeded')
}

/** The error of a subscription beyond the memory that the connections of an address may take. */
export function addressFull(): RelayError {
  return new RelayError(-32000, 'Internal error: too many subscriptions of this address', 'SubscriberLimitExceeded')
}

/** The error of a watch of a relay whose store can't notify webhooks. */
export function watchesUnavailable(): RelayError {
  return new RelayError(-32601, 'Method not available: this relay has no watches', 'MethodNotFound')
}

/** The error of a message that could not be stored, and was not delivered. */
export function storageFailed(): RelayError {
  return new RelayError(-32603, 'Internal error: the message could not be stored', 'StorageError')
}
