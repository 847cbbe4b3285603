import { networkError, type ChainId, type Network, requestError } from '@latchkey/protocol'
import type { SmartContracts } from '../contracts/smartContracts.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { accountStateOf, findNetwork, getAdapter } from '../state/getAccount.ts'

/** The part of an instance that reads contracts. */
export type ReadingInstance = Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>

/**
 * Returns the network that contracts are read on: the one with the given id, else the network of the active account, else
 * the first network of a namespace with contracts.
 *
 * @throws LatchkeyError `network/not-found` if the app did not configure the network, or none has contracts
 */
export function contractNetwork(latchkey: ReadingInstance, chainId: ChainId | undefined): Network {
  if (chainId !== undefined) {
    const named = findNetwork(latchkey, chainId)
    if (named === undefined) throw networkError('network/not-found', { chainId })
    return named
  }
  const { network: active } = accountStateOf(latchkey)
  const isReadable = (network: Network): boolean =>
    getAdapter(latchkey, network.chainNamespace).smartContracts !== undefined &&
    findNetwork(latchkey, network.caipNetworkId) !== undefined
  const network = active !== undefined && isReadable(active) ? active : latchkey.networks.find(isReadable)
  if (network === undefined) throw networkError('network/not-found', { chainId: active?.caipNetworkId ?? 'none' })
  return network
}

/**
 * Loads the contract calls of a namespace.
 *
 * @param method for the error
 * @throws LatchkeyError `request/not-allowed` if the namespace has none
 */
export async function loadSmartContracts(
  latchkey: Pick<Latchkey, 'adapters'>,
  { chainNamespace }: Network,
  method: string,
): Promise<SmartContracts> {
  const contracts = await getAdapter(latchkey, chainNamespace).smartContracts?.()
  if (contracts === undefined) throw requestError('request/not-allowed', { method })
  return contracts
}
