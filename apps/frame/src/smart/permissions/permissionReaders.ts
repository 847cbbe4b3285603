import { formatUnits } from 'viem'
import type { Reader } from '../../approve/approval.ts'
import { createTokens, type Tokens } from '../../approve/evm/tokens.ts'
import type { Row, Section } from '../../approve/approvalFacts.ts'
import { chainNumberOf } from '../../approve/checkRequest.ts'
import { rpcErrors } from '../../chain/rpcError.ts'
import type { SmartAccounts } from '../smartAccounts.ts'
import { isTokenContract } from './hasOnlyDecodedEffects.ts'
import { newContext, type Grant, type Grants } from './grants.ts'
import type { PermissionRegistry } from './permissionRegistry.ts'
import { isEqualAddress, parsePermissionRequest, type Allowance, type PermissionPolicy } from './permissionRequest.ts'
import { getMember } from '../../platform/isJsonObject.ts'

export type PermissionDependencies = {
  readonly accounts: SmartAccounts
  readonly grants: Grants
  readonly sessions: PermissionRegistry
}

/** Creates the readers of permission requests (ERC-7715). */
export function permissionReaders(dependencies: PermissionDependencies): Readonly<Record<string, Reader>> {
  return { wallet_grantPermissions: grantReader(dependencies), wallet_revokePermissions: revokeReader(dependencies) }
}

/** Formats an account as the server's registry expects it. */
export function permissionAccountId({ chainId, account }: Pick<Grant, 'chainId' | 'account'>): string {
  return `${chainId}:${account.toLowerCase()}`
}

function grantReader({ accounts, grants, sessions }: PermissionDependencies): Reader {
  return async (checked, { chain, now }) => {
    const terms = parsePermissionRequest(checked.params, now())
    const opened = await accounts.ofRequest(checked, terms.address)
    if (opened === undefined) throw rpcErrors.unsupported('permissions of this account')
    const { network, origin } = checked
    if (terms.chainId !== undefined && terms.chainId !== network.chainId) throw rpcErrors.otherNetwork(terms.chainId)
    const { address, entryPoint } = opened.account
    // Calls of these contracts could do anything, also change the permission.
    const forbidden = [address, entryPoint.address, ...(await accounts.all())]
    if (terms.bounds.calls.some((each) => forbidden.some((own) => isEqualAddress(own, each.address))))
      throw rpcErrors.invalid('a permission must not include the account itself')
    const caller = { chain, chainId: network.chainId, account: address, native: network.nativeCurrency }
    const isToken = await Promise.all(terms.bounds.calls.map((each) => isTokenContract(caller, each.address)))
    if (isToken.includes(true)) throw rpcErrors.invalid('a token contract needs a token allowance')
    const tokens = createTokens(chain, network.chainId)
    const sections = await policySections(terms.bounds, { network, tokens, origin, expiry: terms.expiry })
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

function revokeReader({ accounts, grants, sessions }: PermissionDependencies): Reader {
  return async (checked) => {
    const [wanted]: readonly unknown[] = Array.isArray(checked.params) ? checked.params : []
    const name = getMember(wanted, 'permissionsContext') ?? getMember(wanted, 'context') ?? getMember(wanted, 'pci')
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

type Shown = {
  readonly network: { readonly nativeCurrency: { readonly symbol: string; readonly decimals: number } }
  readonly tokens: Tokens
  readonly origin: string
  readonly expiry: number
}

async function policySections(bounds: PermissionPolicy, shown: Shown): Promise<readonly Section[]> {
  const { network, tokens, origin, expiry } = shown
  const { native, tokens: allowed, calls } = bounds
  const general: readonly Row[] = [
    { label: 'who', value: { kind: 'text', text: origin } },
    { label: 'until', value: { kind: 'time', at: expiry * 1_000 } },
  ]
  const sections: Section[] = [{ rows: general }]
  const { decimals, symbol } = network.nativeCurrency
  if (native !== undefined) sections.push({ rows: [limitRow(native, decimals, symbol)] })
  for (const token of allowed) {
    const facts = await tokens.of(token.address)
    const row: Row = { label: 'token', value: { kind: 'address', address: token.address, name: facts.symbol } }
    sections.push({ rows: [row, limitRow(token, facts.decimals ?? 0, facts.symbol ?? '')] })
  }
  for (const { address, functions, most } of calls) {
    sections.push({
      rows: [
        { label: 'contract', value: { kind: 'address', address } },
        ...functions.map(({ name, selector }): Row => ({
          label: 'function',
          value: { kind: 'code', text: `${name} ${selector}` },
        })),
        { label: 'limit', value: { kind: 'amount', amount: { units: most, decimals, symbol } } },
      ],
    })
  }
  return sections
}

/** Formats the limit per period without words. */
function limitRow({ most, period }: Allowance, decimals: number, symbol: string): Row {
  return {
    label: 'limit',
    value: { kind: 'text', text: `${formatUnits(most, decimals)} ${symbol} / ${formatPeriod(period)}` },
  }
}

function formatPeriod(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  return seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds} s`
}
