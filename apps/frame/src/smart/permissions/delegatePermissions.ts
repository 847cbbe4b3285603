import { parseErc6492Signature, type Hex } from 'viem'
import type { Approval, CheckedRequest, ReaderDependencies } from '../../approve/approval.ts'
import type { Row, Section } from '../../approve/approvalFacts.ts'
import { chainNumberOf } from '../../approve/checkRequest.ts'
import { createTokens } from '../../approve/evm/tokens.ts'
import { rpcErrors } from '../../chain/rpcError.ts'
import type { DelegationContracts } from '../../frameConfig.ts'
import type { OpenSmartAccount, SmartAccounts } from '../smartAccounts.ts'
import { assertGrantable } from './assertGrantable.ts'
import {
  createDelegation,
  delegationTypedData,
  encodePermissionContext,
  type UnsignedDelegation,
} from './delegation.ts'
import type { DelegationGrant, DelegationGrants } from './delegationGrants.ts'
import type { ExecutionRequest } from './executionRequest.ts'
import { permissionId, toOriginPolicy } from '../findSealedOrigin.ts'
import { permissionAccountId, type PermissionRegistry, type RegisteredPermission } from './permissionRegistry.ts'
import { isEqualAddress } from './permissionRequest.ts'
import { policyCaveats } from './policyCaveats.ts'
import { typedDataRequest } from '../smartAccount.ts'
import type { KeyHolder, SignRequest } from '../../worker/keyHolder.ts'
import { policySections } from './policySections.ts'

export type DelegateDependencies = {
  readonly accounts: SmartAccounts
  readonly delegations: DelegationGrants
  readonly sessions: PermissionRegistry
  readonly holder: Pick<KeyHolder, 'sealPermissionOrigin'>
}

/** A granted permission in the format of ERC-7715. */
export type ExecutionPermission = ExecutionRequest['granted'] & {
  readonly chainId: Hex
  readonly from: Hex
  readonly to: Hex
  /** Encoded delegation, which `to` redeems at the delegation manager (ERC-7710). */
  readonly context: Hex
  /** Creates the account, which must exist before the permission is redeemed. Empty if it exists. */
  readonly dependencies: readonly { readonly factory: Hex; readonly factoryData: Hex }[]
  readonly delegationManager: Hex
}

type DelegationRequest = {
  readonly checked: CheckedRequest
  readonly reading: ReaderDependencies
  readonly opened: OpenSmartAccount
  readonly requests: readonly ExecutionRequest[]
}

/**
 * Describes permissions that the network enforces. After the approval, the account signs one delegation for each.
 *
 * @param toResponse creates the response of the requested method
 * @throws RpcError -32602 for a permission that is never granted, 4200 if the network can't enforce permissions
 */
export async function delegatePermissions(
  { accounts, delegations, sessions, holder }: DelegateDependencies,
  { checked, reading, opened, requests }: DelegationRequest,
  toResponse: (granted: readonly ExecutionPermission[]) => unknown,
): Promise<Approval> {
  const { network, origin } = checked
  const contracts = network.smartAccounts?.delegations
  if (contracts === undefined) throw rpcErrors.unsupported('permissions that this network enforces')
  const own = await accounts.all()
  const { address, entryPoint } = opened.account
  const excluded = [address, ...own, entryPoint.address, contracts.manager]
  for (const { to, policy } of requests) {
    if (excluded.some((each) => isEqualAddress(each, to)))
      throw rpcErrors.invalid('the session account belongs to the wallet')
    await assertGrantable(policy, opened, own)
  }
  const tokens = createTokens(reading.chain, network.chainId)
  const described = await Promise.all(
    requests.map(async ({ to, expiry, policy }): Promise<readonly Section[]> => {
      const general: readonly Row[] = [
        { label: 'sessionAccount', value: { kind: 'address', address: to } },
        { label: 'until', value: { kind: 'time', at: expiry * 1_000 } },
      ]
      return [{ rows: general }, ...(await policySections(policy, { network, tokens }))]
    }),
  )
  return {
    facts: {
      action: 'permissions',
      account: address,
      network,
      banners: [{ kind: 'networkKeeps' }, ...(tokens.hasSuspiciousName() ? [{ kind: 'oddText' } as const] : [])],
      sections: [{ rows: [{ label: 'who', value: { kind: 'text', text: origin } }] }, ...described.flat()],
    },
    signs: requests.map((request) => delegationRequest(opened, contracts, request)),
    async execute() {
      const granted: ExecutionPermission[] = []
      const grants: DelegationGrant[] = []
      for (const request of requests) {
        const { permission, delegation } = await grantExecution(opened, contracts, request)
        const place = { origin, chainId: network.chainId, account: address }
        const { context } = permission
        const sealed = await holder.sealPermissionOrigin(permissionId(network.chainId, delegation), origin)
        // Registered before the page gets it, so that the user finds each permission on every device.
        await sessions.enter(permissionAccountId(place), context, registeredTerms(request, sealed))
        granted.push(permission)
        grants.push({ ...place, context, expiry: request.expiry, permission: JSON.stringify(permission) })
      }
      await delegations.add(grants, Math.floor(reading.now() / 1_000))
      return toResponse(granted)
    },
  }
}

function registeredTerms({ to, expiry, granted }: ExecutionRequest, sealedOrigin: Uint8Array): RegisteredPermission {
  const { type, data } = granted.permission
  const signer = { type: 'account', data: { address: to } }
  return { expiry, signer, permissions: [{ type, data }], policies: [toOriginPolicy(sealedOrigin)] }
}

/** Like the delegation that is signed, except for its salt. */
function delegationRequest(
  { account, network }: OpenSmartAccount,
  { manager, enforcers }: DelegationContracts,
  { to, expiry, policy }: ExecutionRequest,
): SignRequest {
  const unsigned = createDelegation(account.address, to, policyCaveats(policy, expiry, enforcers))
  return typedDataRequest(delegationTypedData(unsigned, chainNumberOf(network), manager))
}

async function grantExecution(
  { account, network }: OpenSmartAccount,
  { manager, enforcers }: DelegationContracts,
  { to, expiry, policy, granted }: ExecutionRequest,
): Promise<{ permission: ExecutionPermission; delegation: UnsignedDelegation }> {
  const chainId = chainNumberOf(network)
  const unsigned = createDelegation(account.address, to, policyCaveats(policy, expiry, enforcers))
  const wrapped = await account.signTypedData(delegationTypedData(unsigned, chainId, manager))
  // Before the deployment, the signature is wrapped (ERC-6492). The manager verifies it afterwards, without the wrapper.
  const { signature } = parseErc6492Signature(wrapped)
  const { factory, factoryData } = await account.getFactoryArgs()
  const permission: ExecutionPermission = {
    chainId: `0x${chainId.toString(16)}`,
    from: account.address,
    to,
    ...granted,
    context: encodePermissionContext({ ...unsigned, signature }),
    dependencies: factory === undefined || factoryData === undefined ? [] : [{ factory, factoryData }],
    delegationManager: manager,
  }
  return { permission, delegation: unsigned }
}
