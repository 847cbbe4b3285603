import type { Network } from '@latchkey/protocol'
import {
  BaseError,
  createClient as createViemClient,
  defineChain,
  fallback,
  http,
  type Chain,
  type Client,
  type Transport,
} from 'viem'
import { RpcError } from '../../rpcError.ts'

/** A client of one EVM network. */
export type EvmClient = Client<Transport, Chain>

/** Creates a client that tries the network's endpoints in order. */
export function createEvmClient(network: Network): EvmClient {
  const { name, nativeCurrency, rpcUrls } = network
  const chain = defineChain({ id: chainNumber(network), name, nativeCurrency, rpcUrls: { default: rpcUrls.default } })
  const transports = rpcUrls.default.http.map((url) => http(url, { timeout: 8_000, retryCount: 1 }))
  return createViemClient({ chain, transport: fallback(transports, { retryCount: 0 }) })
}

/** The chain id of an EVM network as a number (EIP-155). */
export function chainNumber({ caipNetworkId }: Pick<Network, 'caipNetworkId'>): number {
  return Number(caipNetworkId.slice('eip155:'.length))
}

/**
 * Converts the failure of a network request to an error that users and apps can read.
 *
 * @throws RpcError with the node's own code, or -32603 if no endpoint responds
 */
export async function withRpcError<result>(network: Network, request: Promise<result>): Promise<result> {
  try {
    return await request
  } catch (error) {
    throw toNetworkError(network, error)
  }
}

function toNetworkError(network: Network, error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (!(error instanceof BaseError))
    return new RpcError(-32603, 'The wallet could not complete this request.', { cause: error })
  const isSilent = error.walk((each) => ['HttpRequestError', 'TimeoutError'].includes(nameOf(each))) !== null
  if (isSilent) return new RpcError(-32603, `${network.name} cannot be reached.`, { cause: error })
  const sent = error.walk((each) => hasCode(each))
  const code = hasCode(sent) ? sent.code : -32603
  return new RpcError(code, firstSentence(error), { cause: error })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function hasCode(error: unknown): error is { code: number } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
}

/** Takes the first sentence of an error. Nodes append a dump of the whole call. */
function firstSentence({ details, shortMessage }: BaseError): string {
  const text = (details || shortMessage).split('\n')[0] ?? ''
  const sentence = text.charAt(0).toUpperCase() + text.slice(1, 200)
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
