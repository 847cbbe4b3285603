/** A refusal as pages know it: codes of EIP-1193, EIP-1474 and EIP-3085, and a sentence that the page may show. */
export class RpcError extends Error {
  override readonly name: string = 'RpcError'
  readonly code: number
  /** What a node said besides: the bytes of a revert. */
  readonly data: unknown

  constructor(code: number, message: string, options: { cause?: unknown; data?: unknown } = {}) {
    super(message, options)
    this.code = code
    this.data = options.data
  }
}

/** The refusals that there are besides those of nodes. */
export const refusals = {
  rejected: (): RpcError => new RpcError(4001, 'User rejected the request'),
  unauthorized: (address: string): RpcError =>
    new RpcError(4100, `This page has not been given the account ${short(address)}.`),
  notAllowed: (): RpcError => new RpcError(4200, 'Requested RPC call is not allowed'),
  unsupported: (what: string): RpcError => new RpcError(4200, `This wallet does not support ${short(what)}.`),
  unknownNetwork: (chainId: string): RpcError =>
    new RpcError(4902, `Unrecognized chain ID ${short(chainId)}. This wallet does not act on it.`),
  otherNetwork: (chainId: string): RpcError =>
    new RpcError(4902, `The wallet is on another network than ${short(chainId)}. Switch the network first.`),
  invalid: (what: string): RpcError => new RpcError(-32602, `Invalid parameters: ${what}.`),
  reverted: (reason: string, data?: unknown): RpcError =>
    new RpcError(-32000, `The transaction would fail: ${reason}`, { data }),
  unreachable: (network: string, cause?: unknown): RpcError =>
    new RpcError(-32603, `${network} cannot be reached. Try again.`, { cause }),
} as const

/** What a page sent is repeated to it in part only. */
function short(text: string): string {
  return text.replace(/\p{C}/gu, '').slice(0, 80)
}
