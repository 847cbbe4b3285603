import { formatAccountId, type AccountId, type ChainId, type Network } from '@latchkey/protocol'
import type { Approval, ProposedNamespaces, SessionProposal } from '@latchkey/walletconnect/wallet'
import type { Account, Family } from '../families/family.ts'

/** What an app asks for when it wants to connect, against what the wallet can do. */
export type Offer = {
  networks: readonly OfferedNetwork[]
  methods: readonly { name: string; isSupported: boolean }[]
  /** The accounts that could be shared. */
  accounts: readonly Account[]
  /** Why there is nothing to approve, for people. */
  obstacle: string | undefined
}

export type OfferedNetwork = { chainId: ChainId; name: string; isSupported: boolean; isRequired: boolean }

/** Reads a proposal. */
export function readOffer(proposal: SessionProposal, families: readonly Family[], networks: readonly Network[]): Offer {
  const { requiredNamespaces, optionalNamespaces } = proposal
  const required = chainsOf(requiredNamespaces)
  const asked = [...new Set([...required, ...chainsOf(optionalNamespaces)])]
  const offered = asked.map((chainId): OfferedNetwork => {
    const network = supportedNetwork(chainId, families, networks)
    const isRequired = required.includes(chainId)
    return { chainId, name: network?.name ?? chainId, isSupported: network !== undefined, isRequired }
  })
  const reachable = families.filter(({ namespace }) =>
    offered.some(({ chainId, isSupported }) => isSupported && chainId.startsWith(`${namespace}:`)),
  )
  return {
    networks: offered.toSorted((one, other) => Number(other.isSupported) - Number(one.isSupported)),
    methods: methodsOf([requiredNamespaces, optionalNamespaces], families),
    accounts: reachable.flatMap(({ accounts }) => accounts),
    obstacle: obstacleOf(requiredNamespaces, offered, families),
  }
}

/** What is granted when the chosen accounts are shared: of all that was asked, all that the wallet can do. */
export function approvalOf(offer: Offer, accounts: readonly Account[], families: readonly Family[]): Approval {
  const chains = offer.networks.filter(({ isSupported }) => isSupported).map(({ chainId }) => chainId)
  const shared = ({ namespace }: Family) => accounts.filter((account) => account.namespace === namespace)
  const telling = families.filter((family) => family.sessionProperties !== undefined && shared(family).length > 0)
  const told = telling.map((family) => family.sessionProperties?.(shared(family)))
  return {
    ...(told.length === 0 ? {} : { sessionProperties: Object.assign({}, ...told) }),
    accounts: chains.flatMap((chainId) => accountsOn(chainId, accounts)),
    methods: families.flatMap(({ methods }) => methods),
    events: families.flatMap(({ events }) => events),
  }
}

function accountsOn(chainId: ChainId, accounts: readonly Account[]): readonly AccountId[] {
  return accounts
    .filter(({ namespace }) => chainId.startsWith(`${namespace}:`))
    .map(({ address }) => formatAccountId({ chainId, address }))
}

function obstacleOf(
  required: ProposedNamespaces,
  offered: readonly OfferedNetwork[],
  families: readonly Family[],
): string | undefined {
  const missing = offered.find(({ isRequired, isSupported }) => isRequired && !isSupported)
  if (missing !== undefined) return `It insists on the network ${missing.name}, which this wallet does not have.`
  if (!offered.some(({ isSupported }) => isSupported)) return 'It asks for no network that this wallet has.'
  const method = methodsOf([required], families).find(({ isSupported }) => !isSupported)
  return method && `It insists on ${method.name}, which this wallet cannot do.`
}

function chainsOf(namespaces: ProposedNamespaces): readonly ChainId[] {
  return Object.values(namespaces).flatMap(({ chains }) => chains)
}

function methodsOf(asked: readonly ProposedNamespaces[], families: readonly Family[]): Offer['methods'] {
  const found = new Map<string, boolean>()
  for (const [name, { methods }] of asked.flatMap((namespaces) => Object.entries(namespaces))) {
    const family = families.find(({ namespace }) => namespace === name)
    for (const method of methods) found.set(method, family?.methods.includes(method) === true)
  }
  return [...found].map(([name, isSupported]) => ({ name, isSupported }))
}

function supportedNetwork(
  chainId: ChainId,
  families: readonly Family[],
  networks: readonly Network[],
): Network | undefined {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  return families.some(({ namespace }) => namespace === network?.chainNamespace) ? network : undefined
}
