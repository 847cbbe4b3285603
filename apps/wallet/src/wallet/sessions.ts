import type { Network } from '@latchkey/protocol'
import type { Session, SessionNamespaces, Wallet } from '@latchkey/walletconnect/wallet'
import type { Account, Family } from '../families/family.ts'
import { RpcError } from '../rpcError.ts'
import type { DeveloperWallet } from './developerWallet.ts'
import type { Standing } from './memory.ts'
import { refreshApps } from './apps.ts'
import { followedStandings } from './standings.ts'

/** Ends a session and tells its app. */
export async function disconnect(wallet: DeveloperWallet, topic: string): Promise<void> {
  wallet.memory.setStandings(topic, undefined)
  try {
    await wallet.protocol?.disconnect(topic)
  } finally {
    refreshApps(wallet)
  }
}

/**
 * Moves an app to another network of its session's namespace, and tells it. A network that the session does not grant
 * yet is granted first.
 *
 * @throws RpcError when the app is not connected in that namespace.
 */
export async function switchNetwork(wallet: DeveloperWallet, topic: string, network: Network): Promise<void> {
  const { protocol, family, session, standing } = sessionOf(wallet, topic, network.chainNamespace)
  const next = { chainId: network.caipNetworkId, address: standing.address }
  await grant(wallet, protocol, session, family, next)
  const event = family.networkEvent(network)
  if (event !== undefined && allows(session, family, event.name)) await protocol.emitEvent(topic, event, next.chainId)
}

/**
 * Shows an app another account, and tells it. An account that the session does not share yet is shared first.
 *
 * @throws RpcError when the app is not connected in that namespace.
 */
export async function switchAccount(wallet: DeveloperWallet, topic: string, account: Account): Promise<void> {
  const { protocol, family, session, standing } = sessionOf(wallet, topic, account.namespace)
  const next = { chainId: standing.chainId, address: account.address }
  await grant(wallet, protocol, session, family, next)
  const event = family.accountEvent(account.address, next.chainId)
  if (allows(session, family, event.name)) await protocol.emitEvent(topic, event, next.chainId)
}

type SessionParts = { protocol: Wallet; family: Family; session: Session; standing: Standing }

function sessionOf(wallet: DeveloperWallet, topic: string, namespace: string): SessionParts {
  const { protocol, memory } = wallet
  const session = protocol?.sessions().find((each) => each.topic === topic)
  const family = wallet.families.find((each) => each.namespace === namespace)
  const standing = session && followedStandings(session, memory.standings(topic))[namespace]
  if (protocol === undefined || session === undefined || family === undefined || standing === undefined) {
    throw new RpcError(-32603, 'The app is not connected there.')
  }
  return { protocol, family, session, standing }
}

async function grant(
  wallet: DeveloperWallet,
  protocol: Wallet,
  { topic, namespaces }: Session,
  { namespace }: Family,
  standing: Standing,
): Promise<void> {
  const granted = namespaces[namespace]
  if (granted !== undefined && !granted.accounts.includes(`${standing.chainId}:${standing.address}`)) {
    await protocol.updateSession(topic, { ...namespaces, [namespace]: extended(granted, standing) })
  }
  wallet.memory.setStandings(topic, { ...wallet.memory.standings(topic), [namespace]: standing })
  refreshApps(wallet)
}

/** Adds the network with all accounts that are shared, and the account on all networks that are granted. */
function extended(granted: SessionNamespaces[string], { chainId, address }: Standing): SessionNamespaces[string] {
  const chains = [...new Set([...granted.chains, chainId])]
  const addresses = [...new Set([...granted.accounts.map((id) => id.slice(id.lastIndexOf(':') + 1)), address])]
  return { ...granted, chains, accounts: chains.flatMap((chain) => addresses.map((each) => `${chain}:${each}`)) }
}

function allows({ namespaces }: Session, { namespace }: Family, event: string): boolean {
  return namespaces[namespace]?.events.includes(event) === true
}
