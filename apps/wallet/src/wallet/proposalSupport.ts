import { formatAccountId, type AccountId, type ChainId, type Network } from '@latchkey/protocol'
import type { Approval, ProposedNamespaces, SessionProposal } from '@latchkey/walletconnect/wallet'
import type { Account, NamespaceAdapter } from '../namespaces/namespaceAdapter.ts'

/** A session proposal compared with the wallet's abilities. */
export type ProposalSupport = {
  networks: readonly ProposedNetwork[]
  methods: readonly { name: string; isSupported: boolean }[]
  /** The accounts that can be shared. */
  accounts: readonly Account[]
  /** The reason why the proposal can't be approved, for display. */
  obstacle: string | undefined
}

export type ProposedNetwork = { chainId: ChainId; name: string; isSupported: boolean; isRequired: boolean }

/** Compares a session proposal with the wallet's abilities. */
export function getProposalSupport(
  proposal: SessionProposal,
  adapters: readonly NamespaceAdapter[],
  networks: readonly Network[],
): ProposalSupport {
  const { requiredNamespaces, optionalNamespaces } = proposal
  const required = listChains(requiredNamespaces)
  const proposed = [...new Set([...required, ...listChains(optionalNamespaces)])]
  const offered = proposed.map((chainId): ProposedNetwork => {
    const network = supportedNetwork(chainId, adapters, networks)
    const isRequired = required.includes(chainId)
    return { chainId, name: network?.name ?? chainId, isSupported: network !== undefined, isRequired }
  })
  const reachable = adapters.filter(({ namespace }) =>
    offered.some(({ chainId, isSupported }) => isSupported && chainId.startsWith(`${namespace}:`)),
  )
  return {
    networks: offered.toSorted((one, other) => Number(other.isSupported) - Number(one.isSupported)),
    methods: listMethods([requiredNamespaces, optionalNamespaces], adapters),
    accounts: reachable.flatMap(({ accounts }) => accounts),
    obstacle: findObstacle(requiredNamespaces, offered, adapters),
  }
}

/** Creates the approval for the selected accounts. It grants every requested network that the wallet supports. */
export function toApproval(
  support: ProposalSupport,
  accounts: readonly Account[],
  adapters: readonly NamespaceAdapter[],
): Approval {
  const chains = support.networks.filter(({ isSupported }) => isSupported).map(({ chainId }) => chainId)
  const shared = ({ namespace }: NamespaceAdapter) => accounts.filter((account) => account.namespace === namespace)
  const telling = adapters.filter((adapter) => adapter.sessionProperties !== undefined && shared(adapter).length > 0)
  const sent = telling.map((adapter) => adapter.sessionProperties?.(shared(adapter)))
  return {
    ...(sent.length === 0 ? {} : { sessionProperties: Object.assign({}, ...sent) }),
    accounts: chains.flatMap((chainId) => accountsOn(chainId, accounts)),
    methods: adapters.flatMap(({ methods }) => methods),
    events: adapters.flatMap(({ events }) => events),
  }
}

function accountsOn(chainId: ChainId, accounts: readonly Account[]): readonly AccountId[] {
  return accounts
    .filter(({ namespace }) => chainId.startsWith(`${namespace}:`))
    .map(({ address }) => formatAccountId({ chainId, address }))
}

function findObstacle(
  required: ProposedNamespaces,
  offered: readonly ProposedNetwork[],
  adapters: readonly NamespaceAdapter[],
): string | undefined {
  const missing = offered.find(({ isRequired, isSupported }) => isRequired && !isSupported)
  if (missing !== undefined) return `The app requires the network ${missing.name}, which this wallet doesn’t support.`
  if (!offered.some(({ isSupported }) => isSupported)) return 'The app requests no network that this wallet supports.'
  const method = listMethods([required], adapters).find(({ isSupported }) => !isSupported)
  return method && `The app requires ${method.name}, which this wallet doesn’t support.`
}

function listChains(namespaces: ProposedNamespaces): readonly ChainId[] {
  return Object.values(namespaces).flatMap(({ chains }) => chains)
}

function listMethods(
  proposed: readonly ProposedNamespaces[],
  adapters: readonly NamespaceAdapter[],
): ProposalSupport['methods'] {
  const found = new Map<string, boolean>()
  for (const [name, { methods }] of proposed.flatMap((namespaces) => Object.entries(namespaces))) {
    const adapter = adapters.find(({ namespace }) => namespace === name)
    for (const method of methods) found.set(method, adapter?.methods.includes(method) === true)
  }
  return [...found].map(([name, isSupported]) => ({ name, isSupported }))
}

function supportedNetwork(
  chainId: ChainId,
  adapters: readonly NamespaceAdapter[],
  networks: readonly Network[],
): Network | undefined {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  return adapters.some(({ namespace }) => namespace === network?.chainNamespace) ? network : undefined
}
