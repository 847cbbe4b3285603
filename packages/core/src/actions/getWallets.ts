import { LatchkeyError, type WalletListEntry, type WalletListPage, type WalletListQuery } from '@latchkey/protocol'
import { ask, serverUrl } from '../api/ask.ts'
import type { Latchkey } from '../latchkey.ts'
import { isRecord } from '../isRecord.ts'

/** How many entries a page of the wallet list has. */
export const walletsPerPage = 40
/** How many entries a search brings. */
export const walletsPerSearch = 100

/**
 * One page of the server's wallet list, without the wallets that the app excludes, and of those it names if it names any.
 *
 * @returns an empty page when no server is configured
 * @throws LatchkeyError `http/status`, `http/unreachable`, `http/invalid-answer`.
 * @example const { data } = await getWallets(latchkey, { search: 'rain' })
 */
export async function getWallets(
  latchkey: Latchkey,
  query: WalletListQuery = {},
  signal?: AbortSignal,
): Promise<WalletListPage> {
  const { server, includeWallets } = latchkey.settings
  if (server === undefined) return { data: [], count: 0 }
  const { page = 1, search } = query
  const entries = query.entries ?? (search === undefined ? walletsPerPage : walletsPerSearch)
  if (includeWallets === undefined) return askPage(latchkey, { ...query, page, entries }, signal)
  const all = await askNamed(latchkey, includeWallets, { ...query, page: 1, entries: walletsPerSearch }, signal)
  return { data: all.slice((page - 1) * entries, page * entries), count: all.length }
}

async function askPage(
  latchkey: Latchkey,
  { include, exclude, chains, ...query }: WalletListQuery & { names?: string; rdns?: string },
  signal: AbortSignal | undefined,
): Promise<WalletListPage> {
  const lists = { include: include?.join(','), exclude: exclude?.join(','), chains: chains?.join(',') }
  const { data, count } = readPage(
    await ask(latchkey, serverUrl(latchkey, '/getWallets', { ...query, ...lists }), signal),
  )
  return { data: data.filter((wallet) => isWanted(latchkey, wallet)), count }
}

/** The few wallets that an app names: the list knows them by their ids, or by what they are called. */
async function askNamed(
  latchkey: Latchkey,
  named: readonly string[],
  query: WalletListQuery,
  signal: AbortSignal | undefined,
): Promise<readonly WalletListEntry[]> {
  const ids = query.include === undefined ? named : query.include.filter((id) => named.includes(id))
  const names = named.join(',')
  const pages = await Promise.all([
    ids.length === 0 ? { data: [] } : askPage(latchkey, { ...query, include: ids }, signal),
    askPage(latchkey, { ...query, names, rdns: names }, signal),
  ])
  const found = new Map(pages.flatMap(({ data }) => data.map((wallet) => [wallet.id, wallet] as const)))
  return [...found.values()]
}

/** Where the picture of a wallet is; undefined when no server is configured. */
export function walletImageUrl(latchkey: Latchkey, wallet: WalletListEntry): string | undefined {
  if (wallet.image_url !== undefined) return wallet.image_url
  if (latchkey.settings.server === undefined || wallet.image_id === '') return undefined
  return serverUrl(latchkey, `/getWalletImage/${encodeURIComponent(wallet.image_id)}`).href
}

type Named = { id: string; name: string; rdns?: string }

/** Whether the app hides a wallet: by its reverse-DNS name, its id, or its name in any case. */
export function isExcluded(latchkey: Latchkey, wallet: Named): boolean {
  return isAmong(latchkey.settings.excludeWallets, wallet)
}

/** Whether a wallet of the list is one that the app wants: all that are not excluded, or only those it names. */
function isWanted(latchkey: Latchkey, wallet: Named): boolean {
  const { includeWallets } = latchkey.settings
  return !isExcluded(latchkey, wallet) && (includeWallets === undefined || isAmong(includeWallets, wallet))
}

function isAmong(names: readonly string[], { id, name, rdns }: Named): boolean {
  return names.some((each) => each === rdns || each === id || each.toLowerCase() === name.toLowerCase())
}

function readPage(answer: unknown): WalletListPage {
  if (isRecord(answer) && Array.isArray(answer['data']) && typeof answer['count'] === 'number') {
    return { data: answer['data'].flatMap(readWallet), count: answer['count'] }
  }
  throw new LatchkeyError('http/invalid-answer', { what: 'wallets' })
}

/** Public lists write null where they have nothing to say; entries without a name or picture are left out. */
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
