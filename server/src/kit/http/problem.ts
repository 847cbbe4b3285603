/**
 * An error for the client, which gets its message. Any other error is logged, and the client gets "Internal server
 * error".
 *
 * @example throw new Problem(400, 'address', 'This is not an eip155 address.')
 */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly status: number
  readonly field: string
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(status: number, field: string, description: string, options?: { cause?: unknown; retryAfter?: number }) {
    super(description, options)
    this.status = status
    this.field = field
    this.retryAfter = options?.retryAfter
  }
}
