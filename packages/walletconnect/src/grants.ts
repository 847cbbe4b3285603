import { isChainId, LatchkeyError, type ChainId, type Namespace, type Network } from '@latchkey/protocol'
import { readEvmChain, speaksEip1193, vocabulary } from './namespaces.ts'
import { isRecord, isTextList } from './parse.ts'

/** What a dapp asks for in one namespace (CAIP-25 scope object). */
export type ProposedNamespace = {
  readonly chains: readonly ChainId[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
}

export type ProposedNamespaces = { readonly [namespace: string]: ProposedNamespace }

/** What a wallet granted in one namespace. Accounts are CAIP-10 ids, also of namespaces that Latchkey does not know. */
export type SessionNamespace = ProposedNamespace & {
  readonly accounts: readonly string[]
  /** The chain that requests go to while nothing else is said. */
  readonly defaultChain?: ChainId
}

export type SessionNamespaces = { readonly [namespace: string]: SessionNamespace }

/** Puts the networks of an app into the words of a proposal. */
export function proposedNamespaces(networks: readonly Network[]): ProposedNamespaces {
  const proposed: { [namespace: string]: ProposedNamespace } = {}
  for (const { chainNamespace, caipNetworkId } of networks) {
    const chains = proposed[chainNamespace]?.chains ?? []
    if (chains.includes(caipNetworkId)) continue
    proposed[chainNamespace] = { ...vocabulary[chainNamespace], chains: [...chains, caipNetworkId] }
  }
  return proposed
}

/**
 * Reads the namespaces of a proposal. Keys that name a chain (`eip155:1`) are folded into their namespace.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function readProposedNamespaces(value: unknown): ProposedNamespaces {
  return foldNamespaces(value, (entry, chains) => {
    if (chains.length === 0) throw invalid('a namespace names no chains')
    return { chains, ...readMethods(entry) }
  })
}

/**
 * Reads the namespaces that a wallet granted.
 *
 * @throws LatchkeyError `session/invalid` when the forms of CAIP-2 and CAIP-10 are not kept, or a namespace has no account.
 */
export function readSessionNamespaces(value: unknown): SessionNamespaces {
  const granted = foldNamespaces(value, (entry, chains, namespace) => {
    const { accounts } = entry
    if (!isTextList(accounts) || accounts.length === 0) throw invalid('a namespace has no accounts')
    const accountChains = accounts.map((account) => chainOfAccount(account, namespace))
    return { accounts, chains: unique([...chains, ...accountChains]), ...readMethods(entry) }
  })
  if (Object.keys(granted).length === 0) throw invalid('it grants nothing')
  return granted
}

/**
 * Checks that an approval covers what was required.
 *
 * @throws LatchkeyError `session/invalid`.
 */
export function checkCovered(granted: SessionNamespaces, required: ProposedNamespaces): void {
  for (const [namespace, { chains, methods, events }] of Object.entries(required)) {
    const grant = granted[namespace]
    if (grant === undefined) throw invalid(`the required namespace ${namespace} is missing`)
    const chain = chains.find((each) => accountsOn(grant, each).length === 0)
    if (chain !== undefined) throw invalid(`the required chain ${chain} has no account`)
    const word = methods.find((each) => !grant.methods.includes(each))
    if (word !== undefined) throw invalid(`the required method ${word} is missing`)
    const event = events.find((each) => !grant.events.includes(each))
    if (event !== undefined) throw invalid(`the required event ${event} is missing`)
  }
}

/** The accounts of a grant on one chain, in the wallet's order. */
export function accountsOn(grant: SessionNamespace, chain: ChainId): readonly string[] {
  return grant.accounts.filter((account) => account.startsWith(`${chain}:`))
}

/** The chains of a grant on which there is an account. */
export function usableChains(grant: SessionNamespace): readonly ChainId[] {
  return grant.chains.filter((chain) => accountsOn(grant, chain).length > 0)
}

/** The namespace of a CAIP id: what stands before the first colon. */
export function namespaceOf(id: string): string {
  return id.slice(0, id.indexOf(':'))
}

/** Reads a chain as wallets of a namespace write it in events: a CAIP-2 id or its second half. */
export function readChain(value: unknown, namespace: Namespace): ChainId | undefined {
  if (speaksEip1193(namespace)) return readEvmChain(value)
  const chain = String(value).includes(':') ? String(value) : `${namespace}:${String(value)}`
  return isChainId(chain) ? chain : undefined
}

type Entry = { readonly [key: string]: unknown }

function foldNamespaces<folded extends ProposedNamespace>(
  value: unknown,
  read: (entry: Entry, chains: readonly ChainId[], namespace: string) => folded,
): { [namespace: string]: folded } {
  if (!isRecord(value)) throw invalid('its namespaces are missing')
  const folded = new Map<string, folded>()
  for (const [key, entry] of Object.entries(value)) {
    if (!isRecord(entry)) throw invalid('a namespace is no object')
    const namespace = isChainId(key) ? namespaceOf(key) : key
    if (!/^[-a-z0-9]{3,8}$/.test(namespace)) throw invalid('a namespace has no CAIP-2 name')
    const next = read(entry, readChains(entry, key, namespace), namespace)
    const known = folded.get(namespace)
    folded.set(namespace, known === undefined ? next : merged(known, next))
  }
  return Object.fromEntries(folded)
}

function readChains({ chains }: Entry, key: string, namespace: string): readonly ChainId[] {
  if (chains !== undefined && !isTextList(chains)) throw invalid('its chains are no list')
  const listed = (chains ?? []).map((chain) => {
    if (isChainId(chain) && namespaceOf(chain) === namespace) return chain
    throw invalid('a chain is not a CAIP-2 id of its namespace')
  })
  if (!isChainId(key)) return unique(listed)
  if (listed.some((chain) => chain !== key)) throw invalid('a namespace that names a chain lists others')
  return [key]
}

function readMethods({ methods, events }: Entry): { methods: readonly string[]; events: readonly string[] } {
  if (!isTextList(methods) || !isTextList(events)) throw invalid('its methods or events are no lists')
  return { methods, events }
}

function chainOfAccount(account: string, namespace: string): ChainId {
  const [, chain = ''] = /^([^:]+:[^:]+):[-.%a-zA-Z0-9]{1,128}$/.exec(account) ?? []
  if (!isChainId(chain) || namespaceOf(chain) !== namespace) {
    throw invalid('an account is not a CAIP-10 id of its namespace')
  }
  return chain
}

function merged<folded extends ProposedNamespace>(one: folded, other: folded): folded {
  const lists = Object.entries(other).map(([key, list]) => {
    // Every member of these objects is a list of texts.
    const known = (one as { [key: string]: readonly string[] })[key] ?? []
    return [key, unique([...known, ...(list as readonly string[])])]
  })
  return { ...one, ...Object.fromEntries(lists) }
}

function unique<item>(items: readonly item[]): readonly item[] {
  return [...new Set(items)]
}

function invalid(reason: string): LatchkeyError<'session/invalid'> {
  return new LatchkeyError('session/invalid', { reason })
}
