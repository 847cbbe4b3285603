import type { Approval, CheckedRequest, Reader, ReaderDependencies } from '../../approve/approval.ts'
import type { Row } from '../../approve/approvalFacts.ts'
import { isHex } from '../../approve/evm/parseQuantity.ts'
import { rpcErrors } from '../../chain/rpcError.ts'
import { getMember } from '../../platform/getMember.ts'
import { transactionOf, waitForInclusion } from '../planOperation.ts'
import { readOperation } from '../readOperation.ts'
import type { OpenSmartAccount } from '../smartAccounts.ts'
import {
  decodePermissionContext,
  encodeDisableDelegation,
  encodePermissionContext,
  getDelegationExpiry,
  type Delegation,
} from './delegation.ts'
import { delegatePermissions, type DelegateDependencies } from './delegatePermissions.ts'
import { parseExecutionRequests } from './executionRequest.ts'
import { isEqualAddress, type PermissionRequest } from './permissionRequest.ts'

/** Creates the readers of permissions that the network enforces (ERC-7715). */
export function executionReaders(dependencies: DelegateDependencies): Readonly<Record<string, Reader>> {
  return {
    async wallet_requestExecutionPermissions(checked, reading) {
      const requests = parseExecutionRequests(checked.params, reading.now())
      const [first] = requests
      const opened = await dependencies.accounts.ofRequest(checked, first?.from)
      if (opened === undefined) throw rpcErrors.unsupported('permissions of this account')
      for (const { chainId = checked.network.chainId, from = opened.account.address } of requests) {
        if (chainId !== checked.network.chainId) throw rpcErrors.otherNetwork(chainId)
        if (!isEqualAddress(from, opened.account.address)) throw rpcErrors.invalid('permissions of several accounts')
      }
      return delegatePermissions(dependencies, { checked, reading, opened, requests }, (granted) => granted)
    },
    async wallet_revokeExecutionPermission(checked, reading) {
      const [wanted]: readonly unknown[] = Array.isArray(checked.params) ? checked.params : [checked.params]
      const delegation = findDelegation(getMember(wanted, 'permissionContext'))
      if (delegation === undefined) throw rpcErrors.invalid('this permission is unknown')
      return readDisableDelegation(dependencies, checked, reading, delegation)
    },
  }
}

type Requested = {
  readonly checked: CheckedRequest
  readonly reading: ReaderDependencies
  readonly opened: OpenSmartAccount
}

/** Grants `wallet_grantPermissions` with the signer `account`, the earlier form of ERC-7715. */
export function delegateLegacyPermission(
  dependencies: DelegateDependencies,
  requested: Requested,
  { to, expiry, bounds, written }: PermissionRequest & { readonly to: `0x${string}` },
): Promise<Approval> {
  const [permission, ...others] = written.permissions
  if (permission === undefined || others.length > 0)
    throw rpcErrors.invalid('a session account gets one permission per request')
  const granted = {
    permission: { ...permission, isAdjustmentAllowed: false },
    rules: [{ type: 'expiry', data: { timestamp: expiry } }],
  }
  const requests = [{ to, expiry, policy: bounds, granted }]
  return delegatePermissions(dependencies, { ...requested, requests }, ([execution]) => {
    if (execution === undefined) throw new Error('The permission was not signed.')
    const { chainId, from, context, dependencies: deployments, delegationManager } = execution
    const [accountMeta] = deployments
    return {
      chainId,
      address: from,
      expiry,
      signer: written.signer,
      permission,
      permissions: [{ ...permission, policies: [] }],
      policies: [],
      context,
      permissionsContext: context,
      signerMeta: { delegationManager },
      ...(accountMeta !== undefined && { accountMeta }),
    }
  })
}

/** Returns the delegation of a permission context, or `undefined` for the context of another permission. */
export function findDelegation(context: unknown): Delegation | undefined {
  return isHex(context) ? decodePermissionContext(context) : undefined
}

/**
 * Describes the transaction that ends a delegation. The context is sufficient for that, so any device of the user can
 * end it. The response follows the inclusion in a block.
 *
 * @throws RpcError 4100 for a delegation of another account; -32000 if it has ended
 */
export async function readDisableDelegation(
  { accounts, delegations }: DelegateDependencies,
  checked: CheckedRequest,
  reading: ReaderDependencies,
  delegation: Delegation,
): Promise<Approval> {
  const opened = await accounts.ofRequest(checked, delegation.delegator)
  const contracts = checked.network.smartAccounts?.delegations
  if (opened === undefined || contracts === undefined) throw rpcErrors.unsupported('permissions of this account')
  const { manager, enforcers } = contracts
  const context = encodePermissionContext(delegation)
  const calls = [{ to: manager, value: 0n, data: encodeDisableDelegation(delegation) }]
  const approval = await readOperation(checked, reading, opened, {
    calls,
    async respond(hash) {
      transactionOf(await waitForInclusion(opened, hash))
      await delegations.remove(context)
      return {}
    },
  })
  const expiry = getDelegationExpiry(delegation, enforcers.timestamp)
  const rows: readonly Row[] = [
    { label: 'sessionAccount', value: { kind: 'address', address: delegation.delegate } },
    ...(expiry === 0 ? [] : [{ label: 'until', value: { kind: 'time', at: expiry * 1_000 } } as const]),
  ]
  const raw = approval.facts.sections.filter(({ title }) => title === 'raw')
  return { ...approval, facts: { ...approval.facts, action: 'revoke', sections: [{ rows }, ...raw] } }
}
