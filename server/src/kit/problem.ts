/**
 * A failure that is meant for the client: its words are sent as they are. Everything else that is thrown is logged
 * whole and told as "Internal server error".
 *
 * @example throw new Problem(400, 'address', 'This is not an address of eip155.')
 */
export class Problem extends Error {
  override readonly name: string = 'Problem'
  readonly status: number
  readonly field: string
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter: number | undefined

  constructor(status: number, field: string, description: string, options?: { cause?: unknown; retryAfter?: number }) {
    super(description, options)
    this.status = status
    this.field = field
    this.retryAfter = options?.retryAfter
  }
}
