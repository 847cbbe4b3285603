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

/** Makes a client that tries the network's endpoints in their order. */
export function createClient(network: Network): EvmClient {
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
 * Waits for a network and puts its failure into words for people and apps alike.
 *
 * @throws RpcError with the node's own code, or -32603 when nothing answered.
 */
export async function askNetwork<result>(network: Network, question: Promise<result>): Promise<result> {
  try {
    return await question
  } catch (error) {
    throw failureOf(network, error)
  }
}

function failureOf(network: Network, error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (!(error instanceof BaseError)) return new RpcError(-32603, 'The wallet could not do this.', { cause: error })
  const isSilent = error.walk((each) => ['HttpRequestError', 'TimeoutError'].includes(nameOf(each))) !== null
  if (isSilent) return new RpcError(-32603, `${network.name} cannot be reached.`, { cause: error })
  const told = error.walk((each) => hasCode(each))
  const code = hasCode(told) ? told.code : -32603
  return new RpcError(code, firstSentence(error), { cause: error })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function hasCode(error: unknown): error is { code: number } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
}

/** Nodes add dumps of the whole call to what they say, which nobody should have to read. */
function firstSentence({ details, shortMessage }: BaseError): string {
  const said = (details || shortMessage).split('\n')[0] ?? ''
  const sentence = said.charAt(0).toUpperCase() + said.slice(1, 200)
  return sentence.endsWith('.') ? sentence : `${sentence}.`
}
