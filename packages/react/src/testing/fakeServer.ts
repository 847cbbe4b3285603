import type { Identity } from '@latchkey/core'
import type { HeldNft, HistoryItem, TokenBalance, WalletListEntry } from '@latchkey/protocol'
import { onTestFinished } from 'vitest'

export type FakeServer = {
  readonly url: string
  readonly projectId: string
  /** The requests so far: path and query. */
  readonly requests: URL[]
  wallets: readonly WalletListEntry[]
  balances: readonly TokenBalance[]
  /** The history of every address, page by page. */
  history: readonly (readonly HistoryItem[])[]
  nfts: readonly HeldNft[]
  /** The identity of every address. */
  identity: Identity
  /** The suffixes of its names. */
  zones: readonly string[]
  /** The supported chains. Unknown if omitted. */
  served?: readonly string[]
  /** True if the server does not respond. */
  down: boolean
}

/** A wallet list of this many entries, named `Wallet 1`, `Wallet 2`, …. */
export function walletList(count: number): WalletListEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `wallet-${index + 1}`,
    name: `Wallet ${index + 1}`,
    image_id: `image-${index + 1}`,
    chains: [],
  }))
}

/** Responds in place of a Latchkey server until the test is over; pictures are not found. */
export function fakeServer(
  content: Partial<
    Pick<FakeServer, 'wallets' | 'balances' | 'identity' | 'history' | 'nfts' | 'zones' | 'served'>
  > = {},
): FakeServer {
  const server: FakeServer = {
    url: 'https://server.invalid',
    projectId: '0'.repeat(32),
    requests: [],
    wallets: [],
    balances: [],
    history: [],
    nfts: [],
    identity: {},
    zones: [],
    down: false,
    ...content,
  }
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== server.url) return fetch(input, init)
    server.requests.push(url)
    if (server.down) throw new TypeError('Connection refused.')
    if (url.pathname.startsWith('/v1/identity/')) return Response.json(server.identity)
    if (url.pathname === '/getWallets') return listWallets(server, url)
    return Response.json(bodyOf(server, url))
  }
  return server
}

function bodyOf(server: FakeServer, { pathname, searchParams }: URL): object {
  if (pathname === '/v1/supported-chains') return server.served === undefined ? {} : { http: server.served, ws: [] }
  if (pathname === '/v1/profile/zones') return { zones: server.zones, now: 0 }
  if (pathname.startsWith('/v1/profile/')) return []
  if (pathname === '/v1/spam-reports') return { success: true }
  if (pathname.endsWith('/nfts')) return { data: server.nfts, next: null }
  if (!pathname.endsWith('/history')) return { balances: server.balances }
  const page = Number(searchParams.get('cursor') ?? 0)
  return { data: server.history[page] ?? [], next: page + 1 < server.history.length ? String(page + 1) : null }
}

function listWallets({ wallets }: FakeServer, { searchParams }: URL): Response {
  const [page, entries] = [Number(searchParams.get('page')), Number(searchParams.get('entries'))]
  const include = searchParams.get('include')?.split(',')
  const [names, rdnsNames] = ['names', 'rdns'].map((key) => searchParams.get(key)?.toLowerCase().split(','))
  const search = searchParams.get('search')?.toLowerCase() ?? ''
  const found = wallets.filter(
    ({ id, name, rdns }) =>
      name.toLowerCase().includes(search) &&
      // A wallet has one of the names or one of the reverse-DNS names.
      ((names === undefined && rdnsNames === undefined) ||
        names?.includes(name.toLowerCase()) === true ||
        (rdns !== undefined && rdnsNames?.includes(rdns) === true)) &&
      (include === undefined || include.includes(id)),
  )
  return Response.json({ data: found.slice((page - 1) * entries, page * entries), count: found.length })
}
