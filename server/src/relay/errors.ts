/** A refusal in the relay's own words: code, sentence and machine-readable tag, as clients know them. */
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

/** A request that is not what it should be. */
export function invalidPayload(data: string, detail: string): RelayError {
  return new RelayError(-32600, `Invalid payload: ${detail}`, data)
}

export function invalidParams(detail: string): RelayError {
  return invalidPayload('InvalidParams', detail)
}

export function tooManyRequests(): RelayError {
  return new RelayError(3001, 'Too many requests')
}

/** The mailbox of a topic is full of messages that nobody has fetched. */
export function mailboxFull(): RelayError {
  return new RelayError(-32050, 'mailbox full', 'MailboxLimitExceeded')
}

/** The store did not keep a message, so it was not sent. */
export function storageFailed(): RelayError {
  return new RelayError(-32603, 'Internal error: the message could not be stored', 'StorageError')
}
