import { sha256 } from '../kit/secrets/sha256.ts'
import { readFileSync } from 'node:fs'
import type { ChainId, Namespace, WalletListEntry, WalletListPage } from '@latchkey/protocol'
import { rankWallets, type RankedWallet, type WalletPlatform } from './rankWallets.ts'
import { withWallets, type WalletFacts } from './walletFacts.ts'

export type WalletQuery = {
  /** Counts from 1. */
  page: number
  entries: number
  search?: string
  include?: readonly string[]
  exclude?: readonly string[]
  /** CAIP-2 ids: wallets for any of them. */
  chains?: readonly string[]
  /** Names and reverse-DNS names: wallets with any of them. */
  names?: readonly string[]
  rdns?: readonly string[]
  /** The device that shows the list. It only affects the order. */
  platform?: WalletPlatform
}

/** The listed wallets. */
export type WalletList = {
  /** One page of the wallets that match a query, ranked for its device and its chains. */
  find(query: WalletQuery): WalletListPage
  /** Returns the entry that an image belongs to. */
  findByImageId(imageId: string): WalletListEntry | undefined
  /** Returns the slug of the wallet that an image belongs to. */
  findSlugByImageId(imageId: string): string | undefined
}

export type WalletListOptions = {
  /** URL of the developer wallet, which is listed first. */
  developerWalletUrl: string | undefined
  /** The operator's wallets. They are added at the end, or replace the one with the same slug. */
  operatorWallets?: readonly WalletFacts[]
  /** The networks of this deployment. Wallets of the same namespace are listed for these networks, because users can add them. */
  chains: readonly ChainId[]
}

/** Well-known networks by namespace. */
const wellKnown: { readonly [namespace in Namespace]?: readonly ChainId[] } = {
  eip155: [
    'eip155:1',
    'eip155:10',
    'eip155:56',
    'eip155:100',
    'eip155:137',
    'eip155:324',
    'eip155:8453',
    'eip155:42161',
    'eip155:42220',
    'eip155:43114',
    'eip155:59144',
    'eip155:534352',
    'eip155:11155111',
  ],
  solana: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  bip122: ['bip122:000000000019d6689c085ae165831e93'],
  polkadot: ['polkadot:91b171bb158e2d3848fa23a9f1c25182'],
}

/** Reads the wallet list from the repository's data file, with the operator's additions. */
export function readWalletList({ developerWalletUrl, operatorWallets = [], chains }: WalletListOptions): WalletList {
  // The path is valid from the sources and from the build.
  const file = new URL('../../src/wallets/wallets.json', import.meta.url)
  // Our own file, checked by a test.
  const reviewed = JSON.parse(readFileSync(file, 'utf8')) as readonly WalletFacts[]
  const facts = withWallets([...createDeveloperWallet(developerWalletUrl), ...reviewed], operatorWallets)
  const wallets = facts.map((wallet) => toWalletListEntry(wallet, chains))
  const ranked = wallets.map((entry, index) => ({ entry, mainNamespace: facts[index]?.namespaces[0] ?? '' }))
  const byImageId = new Map(wallets.map((entry, index) => [entry.image_id, { entry, slug: facts[index]?.slug }]))
  return {
    find: (query) => selectWallets(ranked, query),
    findByImageId: (imageId) => byImageId.get(imageId)?.entry,
    findSlugByImageId: (imageId) => byImageId.get(imageId)?.slug,
  }
}

function createDeveloperWallet(url: string | undefined): readonly WalletFacts[] {
  if (url === undefined) return []
  return [{ slug: 'latchkey-developer', name: 'Latchkey Developer Wallet', webapp: url, namespaces: ['eip155'] }]
}

function toWalletListEntry(wallet: WalletFacts, configured: readonly ChainId[]): WalletListEntry {
  const { slug, name, homepage, rdns, namespaces, mobile, desktop, webapp, universal, chrome, ios, android } = wallet
  const id = sha256(`latchkey wallet ${slug}`).toString('hex')
  const own = configured.filter((chain) => namespaces.some((namespace) => chain.startsWith(`${namespace}:`)))
  return {
    id,
    name,
    // Clients expect a UUID.
    image_id: `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`,
    homepage,
    rdns,
    chains: [...new Set([...namespaces.flatMap((namespace) => wellKnown[namespace] ?? []), ...own])],
    mobile_link: mobile,
    desktop_link: desktop,
    webapp_link: webapp,
    link_mode: universal,
    chrome_store: chrome,
    app_store: ios,
    play_store: android,
  }
}

function selectWallets(wallets: readonly RankedWallet[], query: WalletQuery): WalletListPage {
  const { page, entries, search = '', include, exclude = [], platform } = query
  const searchText = search.trim().toLowerCase()
  const namespaces = query.chains?.map((chain) => chain.split(':')[0] ?? '')
  const found = wallets
    .filter(({ entry: { id } }) => (include === undefined || include.includes(id)) && !exclude.includes(id))
    .filter(({ entry: { name } }) => name.toLowerCase().includes(searchText))
    .filter(({ entry }) => supportsNamespaces(entry, namespaces) && matchesName(entry, query))
  const data = rankWallets(found, { platform, namespaces }).slice((page - 1) * entries, page * entries)
  return { data: data.map(({ entry }) => entry), count: found.length }
}

/** A wallet supports all networks of its namespaces, including unlisted ones. */
function supportsNamespaces(wallet: WalletListEntry, namespaces: readonly string[] | undefined): boolean {
  return namespaces === undefined || wallet.chains.some((chain) => namespaces.includes(chain.split(':')[0] ?? ''))
}

function matchesName({ name, rdns }: WalletListEntry, query: WalletQuery): boolean {
  if (query.names === undefined && query.rdns === undefined) return true
  const hasMatchingName = query.names?.some((each) => each.toLowerCase() === name.toLowerCase())
  return hasMatchingName === true || (rdns !== undefined && query.rdns?.includes(rdns) === true)
}
