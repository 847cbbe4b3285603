/** An error response of the wallet, with a code of EIP-1193, EIP-1474 or EIP-3085. */
export class RpcError extends Error {
  override readonly name: string = 'RpcError'
  readonly code: number

  constructor(code: number, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

export const rpcErrors = {
  rejected: () => new RpcError(4001, 'User rejected the request.'),
  unauthorized: (address: string) => new RpcError(4100, `The session does not share the account ${address}.`),
  unsupported: (method: string) => new RpcError(4200, `The wallet does not support ${method}.`),
  unknownNetwork: (chainId: string) =>
    new RpcError(4902, `Unrecognized chain ID ${chainId}. Try adding the chain using wallet_addEthereumChain first.`),
  invalid: (what: string) => new RpcError(-32602, `Invalid parameters: ${what}.`),
  unreachable: (network: string, cause: unknown) => new RpcError(-32603, `${network} cannot be reached.`, { cause }),
} as const

/** Converts any thrown value to an error response. */
export function toRpcError(error: unknown): RpcError {
  return error instanceof RpcError
    ? error
    : new RpcError(-32603, 'The wallet could not complete this request.', { cause: error })
}
