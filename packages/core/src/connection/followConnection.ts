import { parseAccountId, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Connection } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import type { Connected, GrantedConnection } from '../state/connectionState.ts'
import { dispatch } from '../state/dispatch.ts'
import { isPrimaryConnection, listConnectedWallets } from '../state/connectedWallets.ts'
import { checkNetwork } from '../network/checkNetwork.ts'
import { removeConnection, unfollowConnections } from './removeConnection.ts'
import { saveConnections } from './saveConnections.ts'

/** Applies a granted connection: updates the state, stores it, and follows the events of its wallet. */
export function addConnection(
  latchkey: Latchkey,
  connectorId: string,
  connection: Connection,
  picked?: AccountId,
): void {
  const { namespace } = connection
  dispatch(latchkey, namespace, { type: 'granted', ...createGrant(latchkey, connectorId, connection, picked) })
  followConnection(latchkey, connection)
  saveConnections(latchkey, namespace)
}

/** Selects the account to use: the one that the user chose before, or the kind that the app prefers. */
export function createGrant(
  latchkey: Pick<Latchkey, 'internal'>,
  connectorId: string,
  connection: Connection,
  picked: AccountId | undefined,
): GrantedConnection {
  const { accounts } = connection
  const chosen = accounts.find((account) => picked !== undefined && isSameAddress(account, picked))
  const account = chosen ?? findPreferredAccount(latchkey, connection, accounts)
  return { connectorId, connection, account, picked: chosen !== undefined }
}

/** Follows a newly connected wallet, and stops following the wallets that it replaced. */
export function followConnection(latchkey: Latchkey, connection: Connection): void {
  unfollowConnections(latchkey, connection.namespace)
  latchkey.internal.tasks.followed.set(connection, follow(latchkey, connection))
}

function follow(latchkey: Latchkey, connection: Connection): () => void {
  const { namespace } = connection
  return connection.listen({
    accountsChanged(accounts) {
      if (!accounts.every((account) => account.startsWith(`${namespace}:`))) return
      const account = findPreferredAccount(latchkey, connection, accounts)
      dispatch(latchkey, namespace, { type: 'accounts', connection, accounts, account })
      saveConnections(latchkey, namespace)
      if (isPrimaryConnection(latchkey, connection)) emitAccount(latchkey, namespace)
    },
    chainChanged: (chainId) => applyNetworkChange(latchkey, connection, chainId),
    disconnected(reason = 'wallet') {
      const wallet = listConnectedWallets(latchkey, namespace).find((each) => each.connection === connection)
      if (wallet !== undefined)
        removeConnection(latchkey, namespace, { by: 'wallet', reason, connectorId: wallet.connectorId })
    },
  })
}

/** Applies the new chain of a wallet. Idempotent. */
export function applyNetworkChange(latchkey: Latchkey, connection: Connection, chainId: ChainId): void {
  const { namespace } = connection
  const wallet = listConnectedWallets(latchkey, namespace).find((each) => each.connection === connection)
  if (wallet === undefined || wallet.chainId === chainId || !chainId.startsWith(`${namespace}:`)) return
  dispatch(latchkey, namespace, { type: 'chain', connection, chainId })
  saveConnections(latchkey, namespace)
  if (!isPrimaryConnection(latchkey, connection)) return
  latchkey.events.emit({ type: 'network', chainId })
  emitAccount(latchkey, namespace)
  checkNetwork(latchkey)
}

/** Reports the current account of a namespace to the app. */
export function emitAccount(latchkey: Pick<Latchkey, 'wallet' | 'events'>, namespace: Namespace): void {
  const [primary] = listConnectedWallets(latchkey, namespace)
  if (primary !== undefined) latchkey.events.emit({ type: 'account', account: primary.account })
}

/** Returns the account of the kind that the app prefers, or else the wallet's selected account [R6.1]. */
function findPreferredAccount(
  latchkey: Pick<Latchkey, 'internal'>,
  connection: Connection,
  accounts: Connected['accounts'],
): AccountId {
  const type = latchkey.internal.settings.accountTypes[connection.namespace]
  return accounts.find((account) => connection.details?.(account)?.type === type) ?? accounts[0]
}

/** True if two accounts have the same address, on any chain. */
export function isSameAddress(one: AccountId, other: AccountId): boolean {
  return parseAccountId(one).address === parseAccountId(other).address
}
