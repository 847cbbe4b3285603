/** A wallet or node error with an EIP-1193 or EIP-1474 code. */
export class RpcError extends Error {
  override readonly name: string = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Creates the error of a declined request (EIP-1193). */
export function createRejection(): RpcError {
  return new RpcError(4001, 'User rejected the request.')
}
