import type { FrameRpcRequest } from '@latchkey/protocol'
import { rpcErrors } from '../chain/rpcError.ts'
import type { FrameNetwork } from '../frameConfig.ts'

/**
 * Finds a network by its CAIP-2 id, or by the decimal or hexadecimal number that eip155 pages use.
 *
 * @throws RpcError 4902 for a network that the deployment lacks
 */
export function findNetwork(networks: readonly FrameNetwork[], chainId: string | number): FrameNetwork {
  const text = typeof chainId === 'string' && chainId.includes(':') ? chainId : `eip155:${Number(chainId)}`
  const network = networks.find((each) => each.chainId === text)
  if (network === undefined) throw rpcErrors.unknownNetwork(String(chainId))
  return network
}

/** Finds the network of a request: the one it names, else the active one, else the first of its namespace. */
export function findRequestNetwork(
  networks: readonly FrameNetwork[],
  { chainId, chainNamespace }: FrameRpcRequest,
  inUse: FrameNetwork,
): FrameNetwork {
  if (chainId !== undefined) return findNetwork(networks, chainId)
  if (chainNamespace === undefined || namespaceOf(inUse) === chainNamespace) return inUse
  const first = networks.find((each) => namespaceOf(each) === chainNamespace)
  if (first === undefined) throw rpcErrors.unknownNetwork(chainNamespace)
  return first
}

/** Returns the namespace of a network's CAIP-2 id. */
export function namespaceOf({ chainId }: Pick<FrameNetwork, 'chainId'>): string {
  return chainId.slice(0, chainId.indexOf(':'))
}
