import {
  type WalletListEntry,
  type WalletListPage,
  type WalletListQuery,
  httpError,
  isRecord,
} from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../api/fetchJson.ts'
import type { Latchkey } from '../instance/latchkey.ts'

/** The page size of the wallet list. */
export const walletsPerPage = 40
/** The page size of a search. */
export const walletsPerSearch = 100

/**
 * Returns one page of the server's wallet list, without excluded wallets, and limited to the included ones if the app
 * sets them.
 *
 * @returns an empty page if no server is configured
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-response`.
 * @example const { data } = await getWallets(latchkey, { search: 'rain' })
 */
export async function getWallets(
  latchkey: Latchkey,
  query: WalletListQuery = {},
  signal?: AbortSignal,
): Promise<WalletListPage> {
  const { server, includeWallets } = latchkey.internal.settings
  if (server === undefined) return { data: [], count: 0 }
  const { page = 1, search } = query
  const entries = query.entries ?? (search === undefined ? walletsPerPage : walletsPerSearch)
  if (includeWallets === undefined) return loadWalletPage(latchkey, { ...query, page, entries }, signal)
  if (query.rdns !== undefined) {
    const { data } = await loadWalletPage(latchkey, { ...query, page, entries }, signal)
    return { data, count: data.length }
  }
  const all = await loadWalletsByName(
    latchkey,
    includeWallets,
    { ...query, page: 1, entries: walletsPerSearch },
    signal,
  )
  return { data: all.slice((page - 1) * entries, page * entries), count: all.length }
}

async function loadWalletPage(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  { include, exclude, chains, ...query }: WalletListQuery & { names?: string },
  signal: AbortSignal | undefined,
): Promise<WalletListPage> {
  const lists = { include: include?.join(','), exclude: exclude?.join(','), chains: chains?.join(',') }
  const { data, count } = readPage(
    await fetchJson(latchkey, serverUrl(latchkey, '/getWallets', { ...query, ...lists }), signal),
  )
  return { data: data.filter((wallet) => isWanted(latchkey, wallet)), count }
}

/** Fetches the wallets that an app includes, by their ids or names. */
async function loadWalletsByName(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  named: readonly string[],
  query: WalletListQuery,
  signal: AbortSignal | undefined,
): Promise<readonly WalletListEntry[]> {
  const ids = query.include === undefined ? named : query.include.filter((id) => named.includes(id))
  const names = named.join(',')
  const pages = await Promise.all([
    ids.length === 0 ? { data: [] } : loadWalletPage(latchkey, { ...query, include: ids }, signal),
    loadWalletPage(latchkey, { ...query, names, rdns: names }, signal),
  ])
  const found = new Map(pages.flatMap(({ data }) => data.map((wallet) => [wallet.id, wallet] as const)))
  return [...found.values()]
}

/**
 * Returns the URL of a wallet's picture, or undefined without a server.
 *
 * @example const src = walletImageUrl(latchkey, wallet)
 */
export function walletImageUrl(latchkey: Latchkey, wallet: WalletListEntry): string | undefined {
  if (wallet.image_url !== undefined) return wallet.image_url
  if (latchkey.internal.settings.server === undefined || wallet.image_id === '') return undefined
  return serverUrl(latchkey, `/getWalletImage/${encodeURIComponent(wallet.image_id)}`).href
}

type WalletIdentity = { id: string; name: string; rdns?: string }

/** True if the app excludes a wallet, by reverse-DNS name, by id, or by name in any case. */
export function isExcluded(latchkey: Pick<Latchkey, 'internal'>, wallet: WalletIdentity): boolean {
  return isAmong(latchkey.internal.settings.excludeWallets, wallet)
}

/** True if the app allows a wallet: it is not excluded, and it is included if the app names wallets. */
function isWanted(latchkey: Pick<Latchkey, 'internal'>, wallet: WalletIdentity): boolean {
  const { includeWallets } = latchkey.internal.settings
  return !isExcluded(latchkey, wallet) && (includeWallets === undefined || isAmong(includeWallets, wallet))
}

function isAmong(names: readonly string[], { id, name, rdns }: WalletIdentity): boolean {
  return names.some((each) => each === rdns || each === id || each.toLowerCase() === name.toLowerCase())
}

function readPage(response: unknown): WalletListPage {
  if (isRecord(response) && Array.isArray(response['data']) && typeof response['count'] === 'number') {
    return { data: response['data'].flatMap(readWallet), count: response['count'] }
  }
  throw httpError('http/invalid-response', { subject: 'wallets' })
}

/** Parses an entry. Public lists contain null for missing fields. Entries without a name or picture are left out. */
function readWallet(value: unknown): WalletListEntry[] {
  if (!isRecord(value)) return []
  const text = (field: string): string | undefined => {
    const found = value[field]
    return typeof found === 'string' ? found : undefined
  }
  const [id, name, imageId] = [text('id'), text('name'), text('image_id')]
  if (id === undefined || name === undefined || imageId === undefined) return []
  const chains: readonly unknown[] = Array.isArray(value['chains']) ? value['chains'] : []
  return [
    {
      id,
      name,
      image_id: imageId,
      rdns: text('rdns'),
      chains: chains.filter((chain) => typeof chain === 'string'),
      mobile_link: text('mobile_link'),
      desktop_link: text('desktop_link'),
      webapp_link: text('webapp_link'),
      homepage: text('homepage'),
      link_mode: text('link_mode'),
      chrome_store: text('chrome_store'),
      app_store: text('app_store'),
      play_store: text('play_store'),
    },
  ]
}
