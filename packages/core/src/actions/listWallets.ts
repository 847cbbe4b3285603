import type { Namespace, WalletListEntry } from '@latchkey/protocol'
import type { Connector, ConnectorType } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { ConnectMethod } from '../options.ts'
import type { RecentWallet } from '../storage/memory.ts'
import { isExcluded } from './getWallets.ts'

/** A wallet as a visitor knows it: one row, however many chain families it speaks. */
export type WalletRow = {
  /** Of its first connector, or of its entry in a wallet list. */
  id: string
  name: string
  /** A data URI, or nothing. */
  icon?: string
  rdns?: string
  /** The ways to it in this page; none for a wallet that is known by its name only. */
  connectorIds: readonly string[]
  /** The families it can be connected in here. */
  namespaces: readonly Namespace[]
  /** What a wallet list says of it, for one of the app's own wallets. */
  listed?: WalletListEntry
}

/** The wallets to choose from, each in one group only; the groups that a server's list fills are asked of it. */
export type WalletRows = {
  /** The way to wallets on other devices. */
  walletConnect: WalletRow | undefined
  /** At most two, the last used first. */
  recent: readonly WalletRow[]
  injected: readonly WalletRow[]
  custom: readonly WalletRow[]
  external: readonly WalletRow[]
}

export type ListWalletsOptions = {
  /** Only wallets that can be connected in this namespace. */
  namespace?: Namespace
  /** What was used before, where a view holds on to what it began with; asked of the memory when left out. */
  used?: readonly RecentWallet[]
}

/**
 * The wallets of this page and of the app, without those that the app excludes [R5.5.5]. Connectors of one wallet in
 * several namespaces are one row; look-alikes with other reverse-DNS names are not.
 *
 * @example const { injected } = listWallets(latchkey)
 */
export function listWallets(latchkey: Latchkey, { namespace, used }: ListWalletsOptions = {}): WalletRows {
  const served = latchkey.adapters.map((adapter) => adapter.namespace)
  const serves = (each: Namespace): boolean => served.includes(each) && each === (namespace ?? each)
  const connectors = latchkey.connectors
    .getState()
    .filter((connector) => connector.namespaces.some(serves) && !isExcluded(latchkey, connector))
  const rowsOf = (type: ConnectorType): readonly WalletRow[] =>
    groupConnectors(connectors.filter((connector) => connector.type === type)).map((row) => ({
      ...row,
      namespaces: row.namespaces.filter(serves),
    }))
  const [walletConnect] = rowsOf('walletConnect')
  const [injected, external] = [rowsOf('injected'), rowsOf('external')]
  const custom = latchkey.settings.customWallets
    .filter((wallet) => !isExcluded(latchkey, wallet) && ![...injected, ...external].some((row) => isSame(row, wallet)))
    .map(listedRow)
  const known = [...injected, ...external, ...custom]
  const recent = (used ?? latchkey.memory.recentWallets()).flatMap(
    (wallet) => recentRow(wallet, known) ?? (isOnlyPhone(latchkey, wallet, walletConnect) ? namedRow(wallet) : []),
  )
  const isFresh = ({ id }: WalletRow): boolean => !recent.some((row) => row.id === id)
  return {
    walletConnect,
    recent,
    injected: injected.filter(isFresh),
    custom: custom.filter(isFresh),
    external: external.filter(isFresh),
  }
}

/**
 * The order of the ways in: the app's own, or wallets first where there is one in the page [R9.3.3]. What the app
 * switched off is not among them.
 */
export function listConnectMethods(latchkey: Latchkey): readonly ConnectMethod[] {
  const { connectMethodOrder, features } = latchkey.settings
  const hasWallet = latchkey.connectors.getState().some(({ type }) => type === 'injected')
  const order = connectMethodOrder ?? (hasWallet ? ['wallet', 'email', 'social'] : ['email', 'social', 'wallet'])
  const isOff = { wallet: false, email: !features.email, social: features.socials === false }
  return order.filter((method) => !isOff[method])
}

/** Connectors that are one wallet make one row, at the place of the first. */
function groupConnectors(connectors: readonly Connector[]): readonly WalletRow[] {
  const rows: WalletRow[] = []
  for (const { id, name, icon, rdns, namespaces } of connectors) {
    const candidates = rows.filter((row) => isSameWallet(row, { name, rdns, namespaces }))
    const [same] = candidates
    // Two wallets of one name with other reverse-DNS names: nobody can tell whose a third is.
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

/** A wallet announces itself once in each namespace: who shares one with another is not the same. */
function isSameWallet(row: WalletRow, other: Pick<Connector, 'name' | 'rdns' | 'namespaces'>): boolean {
  if (row.namespaces.some((namespace) => other.namespaces.includes(namespace))) return false
  return isSame(row, other)
}

function isSame(one: { name: string; rdns?: string }, other: { name: string; rdns?: string }): boolean {
  if (one.rdns !== undefined && other.rdns !== undefined) return one.rdns === other.rdns
  return one.name.toLowerCase() === other.name.toLowerCase()
}

function recentRow({ id }: RecentWallet, known: readonly WalletRow[]): WalletRow | undefined {
  return known.find((row) => row.id === id || row.connectorIds.includes(id))
}

/** Whether a wallet used before can only be one on a phone. */
function isOnlyPhone(latchkey: Latchkey, wallet: RecentWallet, phone: WalletRow | undefined): boolean {
  const isHere = latchkey.connectors.getState().some(({ id }) => id === wallet.id)
  return phone !== undefined && !isHere && !isExcluded(latchkey, wallet)
}

function namedRow({ id, name }: RecentWallet): WalletRow {
  return { id, name, connectorIds: [], namespaces: [] }
}

function listedRow(listed: WalletListEntry): WalletRow {
  const { id, name, rdns } = listed
  return { id, name, rdns, connectorIds: [], namespaces: [], listed }
}
