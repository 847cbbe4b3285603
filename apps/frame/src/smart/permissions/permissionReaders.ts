import type { Reader } from '../../approve/approval.ts'
import { createTokens } from '../../approve/evm/tokens.ts'
import type { Row } from '../../approve/approvalFacts.ts'
import { chainNumberOf } from '../../approve/checkRequest.ts'
import { rpcErrors } from '../../chain/rpcError.ts'
import { assertGrantable } from './assertGrantable.ts'
import type { DelegateDependencies } from './delegatePermissions.ts'
import {
  delegateLegacyPermission,
  executionReaders,
  findDelegation,
  readDisableDelegation,
} from './executionReaders.ts'
import { newContext, type Grants } from './grants.ts'
import { permissionAccountId } from './permissionRegistry.ts'
import { parsePermissionRequest } from './permissionRequest.ts'
import { policySections } from './policySections.ts'
import { getMember } from '../../platform/getMember.ts'

export type PermissionDependencies = DelegateDependencies & { readonly grants: Grants }

/** Creates the readers of permission requests (ERC-7715). */
export function permissionReaders(dependencies: PermissionDependencies): Readonly<Record<string, Reader>> {
  return {
    wallet_grantPermissions: grantReader(dependencies),
    wallet_revokePermissions: revokeReader(dependencies),
    ...executionReaders(dependencies),
  }
}

function grantReader(dependencies: PermissionDependencies): Reader {
  const { accounts, grants, sessions } = dependencies
  return async (checked, reading) => {
    const { chain, now } = reading
    const terms = parsePermissionRequest(checked.params, now())
    const opened = await accounts.ofRequest(checked, terms.address)
    if (opened === undefined) throw rpcErrors.unsupported('permissions of this account')
    const { network, origin } = checked
    if (terms.chainId !== undefined && terms.chainId !== network.chainId) throw rpcErrors.otherNetwork(terms.chainId)
    if (terms.delegate !== undefined)
      return delegateLegacyPermission(dependencies, { checked, reading, opened }, { ...terms, to: terms.delegate })
    await assertGrantable(terms.bounds, opened, await accounts.all())
    const { address } = opened.account
    const tokens = createTokens(chain, network.chainId)
    const general: readonly Row[] = [
      { label: 'who', value: { kind: 'text', text: origin } },
      { label: 'until', value: { kind: 'time', at: terms.expiry * 1_000 } },
    ]
    const sections = [{ rows: general }, ...(await policySections(terms.bounds, { network, tokens }))]
    return {
      facts: {
        action: 'permissions',
        account: address,
        network,
        banners: [{ kind: 'walletKeeps' }, ...(tokens.hasSuspiciousName() ? [{ kind: 'oddText' } as const] : [])],
        sections,
      },
      async execute() {
        const place = { chainId: network.chainId, account: address }
        const { expiry, written, bounds } = terms
        const context = newContext()
        // A permission counts only once it is registered.
        const pci = await sessions.enter(permissionAccountId(place), context, { expiry, ...written })
        await grants.add({ ...place, context, pci, origin, expiry, bounds, used: {} })
        const permissions = written.permissions.map((each) => ({ ...each, policies: [] }))
        return {
          chainId: `0x${chainNumberOf(network).toString(16)}`,
          address,
          expiry,
          signer: written.signer,
          permissions,
          context,
          permissionsContext: context,
        }
      },
    }
  }
}

/** `permissionContext` is the name of ERC-7715; other clients use the others. */
const contextNames = ['permissionContext', 'permissionsContext', 'context', 'pci'] as const

function revokeReader(dependencies: PermissionDependencies): Reader {
  const { accounts, grants, sessions } = dependencies
  return async (checked, reading) => {
    const [wanted]: readonly unknown[] = Array.isArray(checked.params) ? checked.params : []
    const name = contextNames.map((each) => getMember(wanted, each)).find((each) => each !== undefined)
    const delegation = findDelegation(name)
    if (delegation !== undefined) return readDisableDelegation(dependencies, checked, reading, delegation)
    const grant = typeof name === 'string' ? await grants.findAny(name) : undefined
    if (grant === undefined || grant.origin !== checked.origin) throw rpcErrors.invalid('this permission is unknown')
    const opened = await accounts.ofRequest(checked, grant.account)
    if (opened === undefined || grant.chainId !== checked.network.chainId) throw rpcErrors.otherNetwork(grant.chainId)
    const until: Row = { label: 'until', value: { kind: 'time', at: grant.expiry * 1_000 } }
    return {
      facts: {
        action: 'revoke',
        account: grant.account,
        network: checked.network,
        banners: [],
        sections: [{ rows: [until] }],
      },
      async execute() {
        // Revoked here first, so that nothing is signed with it, whatever happens to the registry.
        await grants.add({ ...grant, expiry: 0 })
        await sessions.revoke(permissionAccountId(grant), grant.pci, (message) =>
          opened.account.signMessage({ message }),
        )
        await grants.remove(grant)
        return {}
      },
    }
  }
}
