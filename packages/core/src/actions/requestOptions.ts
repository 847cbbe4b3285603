import { parseChainId, isNamespace, LatchkeyError, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { requireConnected, type Live } from '../state/standing.ts'
import { findNetwork } from '../state/wallet.ts'
import { moveTo } from './follow.ts'

/** Where a request is to go, when it is not the active namespace and the network that its wallet is on. */
export type RequestOptions = {
  namespace?: Namespace
  /** The chain of this one request: its namespace is asked, and its wallet switched there first. */
  chainId?: ChainId
}

/**
 * The connection that a request is for, on the chain that it names. The active namespace stays as it is.
 *
 * @throws LatchkeyError `connection/not-connected`; and what `switchNetwork` throws.
 */
export async function live(latchkey: Latchkey, { chainId, namespace }: RequestOptions): Promise<Live> {
  const about = chainId === undefined ? namespace : parseChainId(chainId).namespace
  if (about !== undefined && !isNamespace(about)) throw new LatchkeyError('adapter/not-found', { namespace: about })
  const connected = requireConnected(latchkey, about)
  if (chainId === undefined || connected.state.chainId === chainId) return connected
  const { adapter, state } = connected
  await adapter.switchNetwork(state.connection, findNetwork(latchkey, chainId) ?? adapter.unknownNetwork(chainId))
  moveTo(latchkey, state.connection, chainId)
  return requireConnected(latchkey, about)
}
