/** An error as a wallet or a node tells it: EIP-1193 and EIP-1474 codes. */
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

/** What a wallet says when its owner declines (EIP-1193). */
export function rejection(): RpcError {
  return new RpcError(4001, 'User rejected the request.')
}
