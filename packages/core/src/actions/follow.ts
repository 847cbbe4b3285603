import { parseAccountId, type AccountId, type ChainId, type Namespace } from '@latchkey/protocol'
import type { Connection } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { Connected, Granted } from '../state/connections.ts'
import { dispatch } from '../state/dispatch.ts'
import { isPrimary, walletsOf } from '../state/standing.ts'
import { guardNetwork } from './guardNetwork.ts'
import { drop, unfollow } from './drop.ts'
import { remember } from './remember.ts'

/** Takes over a granted connection: its state, its memory, and what its wallet says from now on. */
export function adopt(latchkey: Latchkey, connectorId: string, connection: Connection, picked?: AccountId): void {
  const { namespace } = connection
  dispatch(latchkey, namespace, { type: 'granted', ...grantOf(latchkey, connectorId, connection, picked) })
  followAll(latchkey, connection)
  remember(latchkey, namespace)
}

/** A consent with the account to use: one that was chosen before, or the kind that the app prefers. */
export function grantOf(
  latchkey: Latchkey,
  connectorId: string,
  connection: Connection,
  picked: AccountId | undefined,
): Granted {
  const { accounts } = connection
  const chosen = accounts.find((account) => picked !== undefined && isSameAddress(account, picked))
  const account = chosen ?? preferred(latchkey, connection, accounts)
  return { connectorId, connection, account, picked: chosen !== undefined }
}

/** Follows a wallet that stands now, and no longer those that it took the place of. */
export function followAll(latchkey: Latchkey, connection: Connection): void {
  unfollow(latchkey, connection.namespace)
  latchkey.running.followed.set(connection, follow(latchkey, connection))
}

function follow(latchkey: Latchkey, connection: Connection): () => void {
  const { namespace } = connection
  return connection.listen({
    accountsChanged(accounts) {
      if (!accounts.every((account) => account.startsWith(`${namespace}:`))) return
      const account = preferred(latchkey, connection, accounts)
      dispatch(latchkey, namespace, { type: 'accounts', connection, accounts, account })
      remember(latchkey, namespace)
      if (isPrimary(latchkey, connection)) tellAccount(latchkey, namespace)
    },
    chainChanged: (chainId) => moveTo(latchkey, connection, chainId),
    disconnected(reason = 'wallet') {
      const wallet = walletsOf(latchkey, namespace).find((each) => each.connection === connection)
      if (wallet !== undefined) drop(latchkey, namespace, { by: 'wallet', reason, connectorId: wallet.connectorId })
    },
  })
}

/** The wallet is on another chain now. Hearing of it again, from the wallet or from who asked for it, changes nothing. */
export function moveTo(latchkey: Latchkey, connection: Connection, chainId: ChainId): void {
  const { namespace } = connection
  const wallet = walletsOf(latchkey, namespace).find((each) => each.connection === connection)
  if (wallet === undefined || wallet.chainId === chainId || !chainId.startsWith(`${namespace}:`)) return
  dispatch(latchkey, namespace, { type: 'chain', connection, chainId })
  remember(latchkey, namespace)
  if (!isPrimary(latchkey, connection)) return
  latchkey.events.emit({ type: 'network', chainId })
  tellAccount(latchkey, namespace)
  void guardNetwork(latchkey)
}

/** Tells the app which account a namespace has now. */
export function tellAccount(latchkey: Latchkey, namespace: Namespace): void {
  const [primary] = walletsOf(latchkey, namespace)
  if (primary !== undefined) latchkey.events.emit({ type: 'account', account: primary.account })
}

/** The account of the kind that the app prefers, and the wallet's own choice where there is none [R6.1]. */
function preferred(latchkey: Latchkey, connection: Connection, accounts: Connected['accounts']): AccountId {
  const type = latchkey.settings.accountTypes[connection.namespace]
  return accounts.find((account) => connection.details?.(account)?.type === type) ?? accounts[0]
}

/** Whether two accounts are one but for the chain that they stand on. */
export function isSameAddress(one: AccountId, other: AccountId): boolean {
  return parseAccountId(one).address === parseAccountId(other).address
}
