import type { Namespace, WalletListEntry } from '@latchkey/protocol'
import type { Connector, ConnectorType } from '../contracts/connector.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import type { ConnectMethod } from '../instance/options.ts'
import { isExcluded } from './getWallets.ts'
import { isSameIdentity } from './isSameIdentity.ts'
import { getRecentWallets, type RecentWallet } from '../storage/recentWallets.ts'

/** A wallet as one row, however many namespaces it supports. */
export type WalletRow = {
  /** The id of its first connector, or of its wallet list entry. */
  id: string
  name: string
  /** A data URI, if there is an icon. */
  icon?: string
  rdns?: string
  /** The ids of its connectors in this page. Empty for a wallet list entry. */
  connectorIds: readonly string[]
  /** The namespaces that it can connect in this page. */
  namespaces: readonly Namespace[]
  /** The wallet list entry of one of the app's own wallets. */
  listed?: WalletListEntry
}

/** The wallets to choose from, each in one group only. */
export type WalletRows = {
  /** The connector for wallets on other devices. */
  walletConnect: WalletRow | undefined
  /** The wallet that the page is opened in, such as a Safe. It is in no other group. */
  host: readonly WalletRow[]
  /** At most two, the last used first. */
  recent: readonly WalletRow[]
  injected: readonly WalletRow[]
  custom: readonly WalletRow[]
  external: readonly WalletRow[]
}

export type ListWalletsOptions = {
  /** Only wallets that can be connected in this namespace. */
  namespace?: Namespace
  /** The recently used wallets. Defaults to those in storage. Views pass the ones that they started with. */
  used?: readonly RecentWallet[]
}

/**
 * Returns the wallets of the page and of the app, without excluded ones [R5.5.5]. Connectors of one wallet in several
 * namespaces are one row. Look-alikes with other reverse-DNS names are not.
 *
 * @example const { injected } = listWallets(latchkey)
 */
export function listWallets(latchkey: Latchkey, { namespace, used }: ListWalletsOptions = {}): WalletRows {
  const served = latchkey.adapters.map((adapter) => adapter.namespace)
  const serves = (each: Namespace): boolean => served.includes(each) && each === (namespace ?? each)
  const connectors = latchkey.connectors
    .getState()
    .filter((connector) => connector.namespaces.some(serves) && !isExcluded(latchkey, connector))
  const toRows = (group: readonly Connector[]): readonly WalletRow[] =>
    groupConnectors(group).map((row) => ({ ...row, namespaces: row.namespaces.filter(serves) }))
  const rowsOf = (type: ConnectorType): readonly WalletRow[] =>
    toRows(connectors.filter((connector) => connector.type === type && connector.isHost !== true))
  const host = toRows(connectors.filter(({ isHost }) => isHost === true))
  const [walletConnect] = rowsOf('walletConnect')
  const [injected, external] = [rowsOf('injected'), rowsOf('external')]
  const custom = latchkey.internal.settings.customWallets
    .filter(
      (wallet) =>
        !isExcluded(latchkey, wallet) && ![...injected, ...external].some((row) => isSameIdentity(row, wallet)),
    )
    .map(createListedRow)
  const known = [...injected, ...external, ...custom]
  const recent = (used ?? getRecentWallets(latchkey.internal.memory))
    .flatMap(
      (wallet) =>
        findRecentRow(wallet, known) ?? (isOnlyPhone(latchkey, wallet, walletConnect) ? createNamedRow(wallet) : []),
    )
    // A wallet that connected in two namespaces was remembered twice.
    .filter((row, index, rows) => rows.findIndex(({ id }) => id === row.id) === index)
  const isFresh = ({ id }: WalletRow): boolean => !recent.some((row) => row.id === id)
  return {
    walletConnect,
    host,
    recent,
    injected: injected.filter(isFresh),
    custom: custom.filter(isFresh),
    external: external.filter(isFresh),
  }
}

/**
 * Returns the order of the connection methods: the app's order, or wallets first if the page has one [R9.3.3]. Disabled
 * methods are left out.
 */
export function listConnectMethods(latchkey: Pick<Latchkey, 'connectors' | 'internal'>): readonly ConnectMethod[] {
  const { connectMethodOrder, features } = latchkey.internal.settings
  const hasWallet = latchkey.connectors.getState().some(({ type }) => type === 'injected')
  const order = connectMethodOrder ?? (hasWallet ? ['wallet', 'email', 'social'] : ['email', 'social', 'wallet'])
  const isOff = { wallet: false, email: !features.email, social: features.socials === false }
  return order.filter((method) => !isOff[method])
}

/** Merges the connectors of one wallet into one row, at the position of the first. */
function groupConnectors(connectors: readonly Connector[]): readonly WalletRow[] {
  const rows: WalletRow[] = []
  for (const { id, name, icon, rdns, namespaces } of connectors) {
    const candidates = rows.filter((row) => isSameWallet(row, { name, rdns, namespaces }))
    const [same] = candidates
    // Two wallets share a name and differ in their reverse-DNS names, so a third connector can't be assigned to either.
    if (same === undefined || candidates.length > 1) {
      rows.push({ id, name, icon, rdns, connectorIds: [id], namespaces })
      continue
    }
    rows[rows.indexOf(same)] = {
      ...same,
      icon: same.icon ?? icon,
      rdns: same.rdns ?? rdns,
      connectorIds: [...same.connectorIds, id],
      namespaces: [...same.namespaces, ...namespaces],
    }
  }
  return rows
}

/** A wallet announces itself once per namespace, so two connectors of one namespace are different wallets. */
function isSameWallet(row: WalletRow, other: Pick<Connector, 'name' | 'rdns' | 'namespaces'>): boolean {
  if (row.namespaces.some((namespace) => other.namespaces.includes(namespace))) return false
  return isSameIdentity(row, other)
}

function findRecentRow({ id }: RecentWallet, known: readonly WalletRow[]): WalletRow | undefined {
  return known.find((row) => row.id === id || row.connectorIds.includes(id))
}

/** True if a recently used wallet can only be on a phone. */
function isOnlyPhone(
  latchkey: Pick<Latchkey, 'connectors' | 'internal'>,
  wallet: RecentWallet,
  phone: WalletRow | undefined,
): boolean {
  const isHere = latchkey.connectors.getState().some(({ id }) => id === wallet.id)
  return phone !== undefined && !isHere && !isExcluded(latchkey, wallet)
}

function createNamedRow({ id, name }: RecentWallet): WalletRow {
  return { id, name, connectorIds: [], namespaces: [] }
}

function createListedRow(listed: WalletListEntry): WalletRow {
  const { id, name, rdns } = listed
  return { id, name, rdns, connectorIds: [], namespaces: [], listed }
}
