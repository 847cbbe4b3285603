import { parseAccountId } from '@latchkey/protocol'
import { defineFeature, getFeature } from '../../instance/defineFeature.ts'
import type { TransactionRequest } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { connectionForRequest } from '../../requests/requestOptions.ts'
import type { ActiveConnection } from '../../state/connectedWallets.ts'
import { followTransaction, sendTracked } from '../pending/index.ts'
import type { Outcome } from '../transfers.ts'
import { approvalError } from './approvalError.ts'
import type { Approval } from './approvals.ts'

/** A revocation that the wallet sent, and its outcome. */
export type Revocation = { readonly hash: string; readonly outcome: Promise<Outcome> }

/** The pending requests to the wallet, by approval. */
const openRevocations = defineFeature(() => new Map<string, Promise<Revocation>>())

/**
 * Asks the wallet to revoke an approval, and follows the transaction. It is simulated first. Repeated calls send a single
 * request.
 *
 * @throws LatchkeyError `approval/not-revocable` if the contract refuses it or another account is connected,
 * `connection/not-connected`, `request/rejected`, `request/unknown`
 * @example
 * const { outcome } = await revokeApproval(latchkey, approval)
 * const { status } = await outcome
 */
export function revokeApproval(latchkey: Latchkey, approval: Approval): Promise<Revocation> {
  const open = getFeature(latchkey, openRevocations)
  const key = approvalKey(approval)
  const present = open.get(key)
  if (present !== undefined) return present
  const { chainId } = approval
  const revoking = connectionForRequest(latchkey, { chainId })
    .then(async (connection) => {
      const request = await prepareRevocation(connection, approval)
      const current = await connectionForRequest(latchkey, { chainId })
      // The user may have selected another account meanwhile, whose transaction would not revoke this approval.
      assertOwner(current, approval)
      const { account: from } = current.state
      const sent = await sendTracked(current, request)
      const what = { kind: 'revoke', symbol: 'symbol' in approval ? approval.symbol : approval.name } as const
      return { hash: sent.hash, outcome: followTransaction(latchkey, { sent, chainId, from, what }) }
    })
    .finally(() => open.delete(key))
  open.set(key, revoking)
  return revoking
}

/** Returns a key for an approval. The amount is not part of it. */
export function approvalKey(approval: Approval): string {
  const { owner, chainId, token, spender, kind } = approval
  const id = approval.kind === 'nft' ? `/${approval.tokenId}` : ''
  return `${owner}/${chainId}/${kind}/${token}${id}/${spender}`
}

function refusal({ token }: Approval, reason: string): Error {
  return approvalError('approval/not-revocable', { token, reason })
}

/** @throws LatchkeyError `approval/not-revocable` unless the connected account gave the approval */
function assertOwner({ state }: ActiveConnection, approval: Approval): void {
  const { namespace, address } = parseAccountId(approval.owner)
  const current = parseAccountId(state.account)
  const isOwner = current.namespace === namespace && current.address === address
  if (!isOwner) throw refusal(approval, 'another account is connected')
}

/** Builds the transaction of a revocation, and simulates it. */
async function prepareRevocation(connection: ActiveConnection, approval: Approval): Promise<TransactionRequest> {
  const { adapter, network } = connection
  assertOwner(connection, approval)
  const [source, transfers] = await Promise.all([adapter.approvals?.(), adapter.transfers?.()])
  if (source === undefined) throw refusal(approval, 'this namespace has no approvals')
  const request = source.buildRevocation(approval)
  const { address } = parseAccountId(approval.owner)
  // A chain that can't be reached reports no reason: the wallet simulates the transaction, too.
  const reason = await transfers?.simulateCall?.(network, address, request).catch(() => undefined)
  if (reason !== undefined) throw refusal(approval, reason)
  return request
}
