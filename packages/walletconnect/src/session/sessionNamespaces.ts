import {
  isChainId,
  type ChainId,
  type Namespace,
  type Network,
  type LatchkeyError,
  connectionError,
} from '@latchkey/protocol'
import { parseEvmChainId, usesEip1193, getNamespaceScope } from './namespaceScopes.ts'
import { isUnknownRecord, isStringList } from '../primitives/unknownRecord.ts'

/** The scope object that a dapp proposes for one namespace (CAIP-25). */
export type ProposedNamespace = {
  readonly chains: readonly ChainId[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
}

export type ProposedNamespaces = { readonly [namespace: string]: ProposedNamespace }

/**
 * The scope object that a wallet approved for one namespace. Accounts are CAIP-10 ids, including in namespaces that
 * Latchkey does not know.
 */
export type SessionNamespace = ProposedNamespace & {
  readonly accounts: readonly string[]
  /** The default chain of requests. */
  readonly defaultChain?: ChainId
}

export type SessionNamespaces = { readonly [namespace: string]: SessionNamespace }

/** Creates the namespaces of a proposal from the networks of an app. */
export function proposeNamespaces(networks: readonly Network[]): ProposedNamespaces {
  const proposed: { [namespace: string]: ProposedNamespace } = {}
  for (const { chainNamespace, caipNetworkId } of networks) {
    const chains = proposed[chainNamespace]?.chains ?? []
    if (chains.includes(caipNetworkId)) continue
    proposed[chainNamespace] = { ...getNamespaceScope(chainNamespace), chains: [...chains, caipNetworkId] }
  }
  return proposed
}

/**
 * Parses the namespaces of a proposal. Merges keys that are chains (`eip155:1`) into their namespace.
 *
 * @throws LatchkeyError `session/invalid`
 */
export function parseProposedNamespaces(value: unknown): ProposedNamespaces {
  return mergeByNamespace(value, (entry, chains) => {
    if (chains.length === 0) throw invalidSession('a namespace has no chains', 'chains')
    return { chains, ...parseScopePermissions(entry) }
  })
}

/**
 * Parses the namespaces that a wallet approved.
 *
 * @throws LatchkeyError `session/invalid` if an id is not a valid CAIP-2 or CAIP-10 id, or a namespace has no account
 */
export function parseSessionNamespaces(value: unknown): SessionNamespaces {
  const approved = mergeByNamespace(value, (entry, chains, namespace) => {
    const { accounts } = entry
    if (!isStringList(accounts) || accounts.length === 0)
      throw invalidSession('a namespace has no accounts', 'accounts')
    const accountChains = accounts.map((account) => parseAccountChain(account, namespace))
    return { accounts, chains: uniqueItems([...chains, ...accountChains]), ...parseScopePermissions(entry) }
  })
  if (Object.keys(approved).length === 0) throw invalidSession('it approves no namespace')
  return approved
}

/**
 * Asserts that an approval covers the required namespaces.
 *
 * @throws LatchkeyError `session/invalid`
 */
export function assertNamespacesCovered(approved: SessionNamespaces, required: ProposedNamespaces): void {
  for (const [namespace, { chains, methods, events }] of Object.entries(required)) {
    const namespaceScope = approved[namespace]
    if (namespaceScope === undefined) throw invalidSession(`the required namespace ${namespace} is missing`)
    const chain = chains.find((each) => listAccountsOnChain(namespaceScope, each).length === 0)
    if (chain !== undefined) throw invalidSession(`the required chain ${chain} has no account`, 'chains')
    const method = methods.find((each) => !namespaceScope.methods.includes(each))
    if (method !== undefined) throw invalidSession(`the required method ${method} is missing`, 'methods')
    const event = events.find((each) => !namespaceScope.events.includes(each))
    if (event !== undefined) throw invalidSession(`the required event ${event} is missing`, 'events')
  }
}

/** Lists the approved accounts on one chain, in the wallet's order. */
export function listAccountsOnChain(namespaceScope: SessionNamespace, chain: ChainId): readonly string[] {
  return namespaceScope.accounts.filter((account) => account.startsWith(`${chain}:`))
}

/** Lists the approved chains that have at least one account. */
export function listUsableChains(namespaceScope: SessionNamespace): readonly ChainId[] {
  return namespaceScope.chains.filter((chain) => listAccountsOnChain(namespaceScope, chain).length > 0)
}

/** Returns the namespace of a CAIP id: the text before the first colon. */
export function namespaceOfId(id: string): string {
  return id.slice(0, id.indexOf(':'))
}

/** Parses the chain in a wallet's event: a CAIP-2 id or its reference. */
export function parseEventChainId(value: unknown, namespace: Namespace): ChainId | undefined {
  if (usesEip1193(namespace)) return parseEvmChainId(value)
  const chain = String(value).includes(':') ? String(value) : `${namespace}:${String(value)}`
  return isChainId(chain) ? chain : undefined
}

type InvalidMember = NonNullable<LatchkeyError<'session/invalid'>['context']['member']>

type ScopeRecord = { readonly [key: string]: unknown }

function mergeByNamespace<scope extends ProposedNamespace>(
  value: unknown,
  parseScope: (entry: ScopeRecord, chains: readonly ChainId[], namespace: string) => scope,
): { [namespace: string]: scope } {
  if (!isUnknownRecord(value)) throw invalidSession('its namespaces are missing')
  const merged = new Map<string, scope>()
  for (const [key, entry] of Object.entries(value)) {
    if (!isUnknownRecord(entry)) throw invalidSession('a namespace is not an object')
    const namespace = isChainId(key) ? namespaceOfId(key) : key
    if (!/^[-a-z0-9]{3,8}$/.test(namespace)) throw invalidSession('a namespace is not a valid CAIP-2 namespace')
    const next = parseScope(entry, parseScopeChains(entry, key, namespace), namespace)
    const known = merged.get(namespace)
    merged.set(namespace, known === undefined ? next : mergeScopes(known, next))
  }
  return Object.fromEntries(merged)
}

function parseScopeChains({ chains }: ScopeRecord, key: string, namespace: string): readonly ChainId[] {
  if (chains !== undefined && !isStringList(chains)) throw invalidSession('its chains are not a list', 'chains')
  const listed = (chains ?? []).map((chain) => {
    if (isChainId(chain) && namespaceOfId(chain) === namespace) return chain
    throw invalidSession('a chain is not a CAIP-2 id of its namespace', 'chains')
  })
  if (!isChainId(key)) return uniqueItems(listed)
  if (listed.some((chain) => chain !== key))
    throw invalidSession('a namespace that names a chain lists others', 'chains')
  return [key]
}

function parseScopePermissions({ methods, events }: ScopeRecord): {
  methods: readonly string[]
  events: readonly string[]
} {
  if (!isStringList(methods)) throw invalidSession('its methods are not a list', 'methods')
  if (!isStringList(events)) throw invalidSession('its events are not a list', 'events')
  return { methods, events }
}

function parseAccountChain(account: string, namespace: string): ChainId {
  const [, chain = ''] = /^([^:]+:[^:]+):[-.%a-zA-Z0-9]{1,128}$/.exec(account) ?? []
  if (!isChainId(chain) || namespaceOfId(chain) !== namespace) {
    throw invalidSession('an account is not a CAIP-10 id of its namespace', 'accounts')
  }
  return chain
}

function mergeScopes<scope extends ProposedNamespace>(first: scope, second: scope): scope {
  const lists = Object.entries(second).map(([key, list]) => {
    // Every member of these objects is a list of strings.
    const known = (first as { [key: string]: readonly string[] })[key] ?? []
    return [key, uniqueItems([...known, ...(list as readonly string[])])]
  })
  return { ...first, ...Object.fromEntries(lists) }
}

function uniqueItems<item>(items: readonly item[]): readonly item[] {
  return [...new Set(items)]
}

function invalidSession(reason: string, member: InvalidMember = 'namespace'): LatchkeyError<'session/invalid'> {
  return connectionError('session/invalid', { reason, member })
}
