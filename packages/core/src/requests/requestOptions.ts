import { parseChainId, isNamespace, type ChainId, type Namespace, configError } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { getActiveConnection, type ActiveConnection } from '../state/connectedWallets.ts'
import { findNetwork } from '../state/getAccount.ts'
import { applyNetworkChange } from '../connection/followConnection.ts'

/** The target of a request. Defaults to the active namespace and the network of its wallet. */
export type RequestOptions = {
  namespace?: Namespace
  /** The chain of the request. The wallet of its namespace is used, and switched to the chain first. */
  chainId?: ChainId
}

/**
 * Returns the connection for a request, switched to its chain. The active namespace does not change.
 *
 * @throws LatchkeyError `connection/not-connected`, and the errors of `switchNetwork`
 */
export async function connectionForRequest(
  latchkey: Latchkey,
  { chainId, namespace }: RequestOptions,
): Promise<ActiveConnection> {
  const about = chainId === undefined ? namespace : parseChainId(chainId).namespace
  if (about !== undefined && !isNamespace(about)) throw configError('adapter/not-found', { namespace: about })
  const connected = getActiveConnection(latchkey, about)
  if (chainId === undefined || connected.state.chainId === chainId) return connected
  const { adapter, state } = connected
  await adapter.switchNetwork(state.connection, findNetwork(latchkey, chainId) ?? adapter.unknownNetwork(chainId))
  applyNetworkChange(latchkey, state.connection, chainId)
  return getActiveConnection(latchkey, about)
}
