/** An error for the page: a code of EIP-1193, EIP-1474 or EIP-3085 and a message that the page may show. */
export class RpcError extends Error {
  override readonly name: string = 'RpcError'
  readonly code: number
  /** Data of the node's error, for example the bytes of a revert. */
  readonly data: unknown

  constructor(code: number, message: string, options: { cause?: unknown; data?: unknown } = {}) {
    super(message, options)
    this.code = code
    this.data = options.data
  }
}

/** Creates the errors of this wallet. */
export const rpcErrors = {
  rejected: (): RpcError => new RpcError(4001, 'User rejected the request'),
  unauthorized: (address: string): RpcError =>
    new RpcError(4100, `This page has no access to the account ${shortenText(address)}.`),
  notAllowed: (): RpcError => new RpcError(4200, 'Requested RPC call is not allowed'),
  unsupported: (what: string): RpcError => new RpcError(4200, `This wallet does not support ${shortenText(what)}.`),
  unknownNetwork: (chainId: string): RpcError =>
    new RpcError(4902, `Unrecognized chain ID ${shortenText(chainId)}. This wallet does not support it.`),
  otherNetwork: (chainId: string): RpcError =>
    new RpcError(4902, `The wallet is on another network than ${shortenText(chainId)}. Switch the network first.`),
  invalid: (what: string): RpcError => new RpcError(-32602, `Invalid parameters: ${what}.`),
  reverted: (reason: string, data?: unknown): RpcError =>
    new RpcError(-32000, `The transaction would fail: ${reason}`, { data }),
  unreachable: (network: string, cause?: unknown): RpcError =>
    new RpcError(-32603, `${network} cannot be reached. Try again.`, { cause }),
} as const

/** Shortens text of the page before it is repeated in a message. */
function shortenText(text: string): string {
  return text.replace(/\p{C}/gu, '').slice(0, 80)
}
