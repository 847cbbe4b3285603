import type { ChainId, Network } from '@latchkey/protocol'
import { hexToNumber, isHex } from 'viem'
import { getChainId } from 'viem/actions'
import { hasProtocol, isRecord } from '../../config.ts'
import { plainName } from '../../text/readable.ts'
import { refusals, RpcError } from '../../rpcError.ts'
import { askNetwork, chainNumber, createClient } from './client.ts'

/**
 * Reads the network that `wallet_switchEthereumChain` names (EIP-3326).
 *
 * @throws RpcError -32602, or 4902 when the wallet does not know it.
 */
export function readSwitch(params: unknown, networks: readonly Network[]): Network {
  const { chainId, caipNetworkId } = readChain(params)
  const network = networks.find((each) => each.caipNetworkId === caipNetworkId)
  if (network === undefined) throw refusals.unknownNetwork(chainId)
  return network
}

/**
 * Reads the network that `wallet_addEthereumChain` describes (EIP-3085). One that the wallet already knows is taken
 * as the wallet knows it, whatever the app says about it.
 *
 * @throws RpcError -32602.
 */
export function readAdd(params: unknown, networks: readonly Network[]): Network {
  const { fields, caipNetworkId } = readChain(params)
  const known = networks.find((each) => each.caipNetworkId === caipNetworkId)
  if (known !== undefined) return known
  const { chainName, nativeCurrency, rpcUrls } = fields
  if (typeof chainName !== 'string') throw refusals.invalid('the network has no name')
  const urls = Array.isArray(rpcUrls) ? rpcUrls.filter((url) => hasProtocol(url, ['http:', 'https:'])) : []
  if (urls.length === 0) throw refusals.invalid('the network has no endpoint')
  return {
    id: chainNumber({ caipNetworkId }),
    caipNetworkId,
    chainNamespace: 'eip155',
    name: plainName(chainName, 'Unnamed network'),
    nativeCurrency: readCurrency(nativeCurrency),
    rpcUrls: { default: { http: urls } },
  }
}

/**
 * Makes sure that a network's endpoint answers and is of that network.
 *
 * @throws RpcError -32602 when it is another's, -32603 when it does not answer.
 */
export async function checkEndpoint(network: Network): Promise<void> {
  const found = await askNetwork(network, getChainId(createClient(network)))
  if (found === chainNumber(network)) return
  throw new RpcError(-32602, `The endpoint is of network ${found}, not of ${chainNumber(network)}.`)
}

function readChain(params: unknown): { fields: Record<string, unknown>; chainId: string; caipNetworkId: ChainId } {
  const [fields]: unknown[] = Array.isArray(params) ? params : []
  const chainId = isRecord(fields) ? fields['chainId'] : undefined
  if (!isRecord(fields) || !isHex(chainId, { strict: true })) throw refusals.invalid('no chain id')
  // The length keeps the number within what a double holds exactly, as EIP-2294 asks.
  if (chainId === '0x' || chainId.length > 15) throw refusals.invalid('the chain id is no number')
  return { fields, chainId, caipNetworkId: `eip155:${hexToNumber(chainId)}` }
}

function readCurrency(value: unknown): Network['nativeCurrency'] {
  if (!isRecord(value)) throw refusals.invalid('the network has no currency')
  const { name, symbol, decimals } = value
  if (typeof symbol !== 'string' || !/^[\p{L}\p{N}]{1,11}$/u.test(symbol)) throw refusals.invalid('the symbol')
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 36) {
    throw refusals.invalid('the decimals')
  }
  return { name: plainName(typeof name === 'string' ? name : symbol, symbol), symbol, decimals }
}
