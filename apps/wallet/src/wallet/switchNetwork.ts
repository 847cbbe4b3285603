import type { Network } from '@latchkey/protocol'
import type { Session, SessionNamespaces, Wallet } from '@latchkey/walletconnect/wallet'
import type { Account, NamespaceAdapter } from '../namespaces/namespaceAdapter.ts'
import { RpcError } from '../rpcError.ts'
import type { DeveloperWallet } from './developerWallet.ts'
import type { AppConnection } from './walletMemory.ts'
import { refreshApps } from './refreshApps.ts'
import { currentConnections } from './currentConnections.ts'

/**
 * Switches an app to another network of its session's namespace, and notifies it. Grants the network first if the
 * session doesn't include it.
 *
 * @throws RpcError if the app has no connection in that namespace
 */
export async function switchNetwork(wallet: DeveloperWallet, topic: string, network: Network): Promise<void> {
  const { protocol, adapter, session, connection } = getSessionContext(wallet, topic, network.chainNamespace)
  const next = { chainId: network.caipNetworkId, address: connection.address }
  await grant(wallet, protocol, session, adapter, next)
  const event = adapter.networkEvent(network)
  if (event !== undefined && allowsEvent(session, adapter, event.name))
    await protocol.emitEvent(topic, event, next.chainId)
}

/**
 * Switches an app to another account, and notifies it. Shares the account first if the session doesn't include it.
 *
 * @throws RpcError if the app has no connection in that namespace
 */
export async function switchAccount(wallet: DeveloperWallet, topic: string, account: Account): Promise<void> {
  const { protocol, adapter, session, connection } = getSessionContext(wallet, topic, account.namespace)
  const next = { chainId: connection.chainId, address: account.address }
  await grant(wallet, protocol, session, adapter, next)
  const event = adapter.accountEvent(account.address, next.chainId)
  if (allowsEvent(session, adapter, event.name)) await protocol.emitEvent(topic, event, next.chainId)
}

type SessionContext = { protocol: Wallet; adapter: NamespaceAdapter; session: Session; connection: AppConnection }

function getSessionContext(wallet: DeveloperWallet, topic: string, namespace: string): SessionContext {
  const { protocol, memory } = wallet
  const session = protocol?.sessions().find((each) => each.topic === topic)
  const adapter = wallet.adapters.find((each) => each.namespace === namespace)
  const connection = session && currentConnections(session, memory.connections(topic))[namespace]
  if (protocol === undefined || session === undefined || adapter === undefined || connection === undefined) {
    throw new RpcError(-32603, 'The app has no connection in this namespace.')
  }
  return { protocol, adapter, session, connection }
}

async function grant(
  wallet: DeveloperWallet,
  protocol: Wallet,
  { topic, namespaces }: Session,
  { namespace }: NamespaceAdapter,
  connection: AppConnection,
): Promise<void> {
  const granted = namespaces[namespace]
  if (granted !== undefined && !granted.accounts.includes(`${connection.chainId}:${connection.address}`)) {
    await protocol.updateSession(topic, { ...namespaces, [namespace]: extendNamespace(granted, connection) })
  }
  wallet.memory.setConnections(topic, { ...wallet.memory.connections(topic), [namespace]: connection })
  refreshApps(wallet)
}

/** Adds the network for all shared accounts, and the account for all granted networks. */
function extendNamespace(
  granted: SessionNamespaces[string],
  { chainId, address }: AppConnection,
): SessionNamespaces[string] {
  const chains = [...new Set([...granted.chains, chainId])]
  const addresses = [...new Set([...granted.accounts.map((id) => id.slice(id.lastIndexOf(':') + 1)), address])]
  return { ...granted, chains, accounts: chains.flatMap((chain) => addresses.map((each) => `${chain}:${each}`)) }
}

function allowsEvent({ namespaces }: Session, { namespace }: NamespaceAdapter, event: string): boolean {
  return namespaces[namespace]?.events.includes(event) === true
}
