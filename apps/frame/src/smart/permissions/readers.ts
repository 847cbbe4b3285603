import { formatUnits } from 'viem'
import type { Reader } from '../../approve/approval.ts'
import { read } from '../../approve/evm/hex.ts'
import { createTokens, type Tokens } from '../../approve/evm/tokens.ts'
import type { Row, Section } from '../../approve/facts.ts'
import { numberOf } from '../../approve/asked.ts'
import { refusals } from '../../chain/rpcError.ts'
import type { Accounts } from '../openAccount.ts'
import { newContext, type Grant, type Grants } from './grants.ts'
import type { Sessions } from './sessions.ts'
import { isSame, readTerms, type Allowance, type Bounds } from './terms.ts'

export type PermissionParts = { readonly accounts: Accounts; readonly grants: Grants; readonly sessions: Sessions }

/** What pages ask about permissions of smart accounts (ERC-7715). */
export function permissionReaders(parts: PermissionParts): Readonly<Record<string, Reader>> {
  return { wallet_grantPermissions: readGrant(parts), wallet_revokePermissions: readRevoke(parts) }
}

/** The account as the list of permissions names it. */
export function accountIdOf({ chainId, account }: Pick<Grant, 'chainId' | 'account'>): string {
  return `${chainId}:${account.toLowerCase()}`
}

function readGrant({ accounts, grants, sessions }: PermissionParts): Reader {
  return async (asked, { chain, now }) => {
    const terms = readTerms(asked.params, now())
    const opened = await accounts.ofRequest(asked, terms.address)
    if (opened === undefined) throw refusals.unsupported('permissions of this account')
    const { network, origin } = asked
    if (terms.chainId !== undefined && terms.chainId !== network.chainId) throw refusals.otherNetwork(terms.chainId)
    const { address, entryPoint } = opened.account
    // Through these a call could do anything, its own bounds included.
    const forbidden = [address, entryPoint.address, ...(await accounts.all())]
    if (terms.bounds.calls.some((each) => forbidden.some((own) => isSame(own, each.address))))
      throw refusals.invalid('the account itself is no bound')
    const tokens = createTokens(chain, network.chainId)
    const sections = await sectionsOf(terms.bounds, { network, tokens, origin, expiry: terms.expiry })
    return {
      facts: {
        deed: 'permissions',
        account: address,
        network,
        banners: [{ kind: 'walletKeeps' }, ...(tokens.areOdd() ? [{ kind: 'oddText' } as const] : [])],
        sections,
      },
      async carryOut() {
        const place = { chainId: network.chainId, account: address }
        const { expiry, written, bounds } = terms
        const context = newContext()
        // Nothing is allowed that does not stand in the list.
        const pci = await sessions.enter(accountIdOf(place), context, { expiry, ...written })
        await grants.add({ ...place, context, pci, origin, expiry, bounds, used: {} })
        const permissions = written.permissions.map((each) => ({ ...each, policies: [] }))
        return {
          chainId: `0x${numberOf(network).toString(16)}`,
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

function readRevoke({ accounts, grants, sessions }: PermissionParts): Reader {
  return async (asked) => {
    const [wanted]: readonly unknown[] = Array.isArray(asked.params) ? asked.params : []
    const name = read(wanted, 'permissionsContext') ?? read(wanted, 'context') ?? read(wanted, 'pci')
    const grant = typeof name === 'string' ? await grants.findAny(name) : undefined
    if (grant === undefined || grant.origin !== asked.origin)
      throw refusals.invalid('this permission is not known here')
    const opened = await accounts.ofRequest(asked, grant.account)
    if (opened === undefined || grant.chainId !== asked.network.chainId) throw refusals.otherNetwork(grant.chainId)
    const until: Row = { label: 'until', value: { kind: 'time', at: grant.expiry * 1_000 } }
    return {
      facts: {
        deed: 'revoke',
        account: grant.account,
        network: asked.network,
        banners: [],
        sections: [{ rows: [until] }],
      },
      async carryOut() {
        // Here first: from now on nothing is signed by it, whatever becomes of the list.
        await grants.add({ ...grant, expiry: 0 })
        await sessions.revoke(accountIdOf(grant), grant.pci, (message) => opened.account.signMessage({ message }))
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

async function sectionsOf(bounds: Bounds, shown: Shown): Promise<readonly Section[]> {
  const { network, tokens, origin, expiry } = shown
  const { native, tokens: allowed, calls } = bounds
  const general: readonly Row[] = [
    { label: 'who', value: { kind: 'text', text: origin } },
    { label: 'until', value: { kind: 'time', at: expiry * 1_000 } },
  ]
  const parts: Section[] = [{ rows: general }]
  const { decimals, symbol } = network.nativeCurrency
  if (native !== undefined) parts.push({ rows: [limitRow(native, decimals, symbol)] })
  for (const token of allowed) {
    const facts = await tokens.of(token.address)
    const row: Row = { label: 'token', value: { kind: 'address', address: token.address, name: facts.symbol } }
    parts.push({ rows: [row, limitRow(token, facts.decimals ?? 0, facts.symbol ?? '')] })
  }
  for (const { address, functions, most } of calls) {
    parts.push({
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
  return parts
}

/** How much in each period, in figures that every language reads. */
function limitRow({ most, period }: Allowance, decimals: number, symbol: string): Row {
  return {
    label: 'limit',
    value: { kind: 'text', text: `${formatUnits(most, decimals)} ${symbol} / ${timeOf(period)}` },
  }
}

function timeOf(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  return seconds % 3_600 === 0 ? `${seconds / 3_600} h` : `${seconds} s`
}
