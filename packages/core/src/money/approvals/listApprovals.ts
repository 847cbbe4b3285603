import type { Namespace } from '@latchkey/protocol'
import type { Latchkey } from '../../instance/latchkey.ts'
import { getActiveConnection } from '../../state/connectedWallets.ts'
import type { ApprovalList } from './approvals.ts'

/**
 * Lists the permissions of other addresses to move assets of the connected account: ERC-20 allowances, those inside of
 * Permit2, and approvals of NFTs (ERC-721, ERC-1155). They are found in the logs of the network that the wallet is on, and read from the chain.
 *
 * @param options the namespace, the active one by default
 * @returns an empty list in namespaces without approvals
 * @throws LatchkeyError `connection/not-connected`, `rpc/unreachable`
 * @example const { approvals, isComplete } = await listApprovals(latchkey)
 */
export async function listApprovals(
  latchkey: Latchkey,
  { namespace, signal }: { namespace?: Namespace; signal?: AbortSignal } = {},
): Promise<ApprovalList> {
  const { adapter, state, network } = getActiveConnection(latchkey, namespace)
  const source = await adapter.approvals?.()
  if (source === undefined) return { approvals: [], isComplete: true }
  return source.list(network, state.account, { signal })
}
