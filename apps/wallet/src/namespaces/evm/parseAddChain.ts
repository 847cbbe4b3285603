import { isRecord, type ChainId, type Network } from '@latchkey/protocol'
import { hexToNumber, isHex } from 'viem'
import { getChainId } from 'viem/actions'
import { hasProtocol } from '../../walletConfig.ts'
import { toPlainName } from '../../text/readablePieces.ts'
import { rpcErrors, RpcError } from '../../rpcError.ts'
import { withRpcError, chainNumber, createEvmClient } from './evmClient.ts'

/**
 * Parses the parameters of `wallet_switchEthereumChain` (EIP-3326).
 *
 * @throws RpcError -32602 if the parameters are invalid, 4902 if the wallet doesn't know the network
 */
export function parseSwitchChain(params: unknown, networks: readonly Network[]): Network {
  const { chainId, caipNetworkId } = parseChain(params)
  const network = networks.find((each) => each.caipNetworkId === caipNetworkId)
  if (network === undefined) throw rpcErrors.unknownNetwork(chainId)
  return network
}

/**
 * Parses the parameters of `wallet_addEthereumChain` (EIP-3085). Returns the wallet's own entry if it already knows the
 * network: an app can't redefine a known network.
 *
 * @throws RpcError -32602 if the parameters are invalid
 */
export function parseAddChain(params: unknown, networks: readonly Network[]): Network {
  const { fields, caipNetworkId } = parseChain(params)
  const known = networks.find((each) => each.caipNetworkId === caipNetworkId)
  if (known !== undefined) return known
  const { chainName, nativeCurrency, rpcUrls } = fields
  if (typeof chainName !== 'string') throw rpcErrors.invalid('the network has no name')
  const urls = Array.isArray(rpcUrls) ? rpcUrls.filter((url) => hasProtocol(url, ['http:', 'https:'])) : []
  if (urls.length === 0) throw rpcErrors.invalid('the network has no endpoint')
  return {
    id: chainNumber({ caipNetworkId }),
    caipNetworkId,
    chainNamespace: 'eip155',
    name: toPlainName(chainName, 'Unnamed network'),
    nativeCurrency: parseCurrency(nativeCurrency),
    rpcUrls: { default: { http: urls } },
  }
}

/**
 * Asserts that a network's endpoint responds and belongs to that network.
 *
 * @throws RpcError -32602 if it belongs to another network, -32603 if it doesn't respond
 */
export async function assertEndpoint(network: Network): Promise<void> {
  const found = await withRpcError(network, getChainId(createEvmClient(network)))
  if (found === chainNumber(network)) return
  throw new RpcError(-32602, `The endpoint belongs to network ${found}, not to ${chainNumber(network)}.`)
}

function parseChain(params: unknown): { fields: Record<string, unknown>; chainId: string; caipNetworkId: ChainId } {
  const [fields]: unknown[] = Array.isArray(params) ? params : []
  const chainId = isRecord(fields) ? fields['chainId'] : undefined
  if (!isRecord(fields) || !isHex(chainId, { strict: true })) throw rpcErrors.invalid('chainId is missing')
  // The length limit keeps the number within the safe integers (EIP-2294).
  if (chainId === '0x' || chainId.length > 15) throw rpcErrors.invalid('the chain id is not a number')
  return { fields, chainId, caipNetworkId: `eip155:${hexToNumber(chainId)}` }
}

function parseCurrency(value: unknown): Network['nativeCurrency'] {
  if (!isRecord(value)) throw rpcErrors.invalid('the network has no currency')
  const { name, symbol, decimals } = value
  if (typeof symbol !== 'string' || !/^[\p{L}\p{N}]{1,11}$/u.test(symbol))
    throw rpcErrors.invalid('symbol is malformed')
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
    throw rpcErrors.invalid('decimals is malformed')
  }
  return { name: toPlainName(typeof name === 'string' ? name : symbol, symbol), symbol, decimals }
}
