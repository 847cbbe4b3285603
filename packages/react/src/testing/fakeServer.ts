import type { Identity } from '@latchkey/core'
import type { TokenBalance, WalletListEntry } from '@latchkey/protocol'
import { onTestFinished } from 'vitest'

export type FakeServer = {
  readonly url: string
  readonly projectId: string
  /** What was asked so far: path and query. */
  readonly asked: URL[]
  wallets: readonly WalletListEntry[]
  balances: readonly TokenBalance[]
  /** Who every address is. */
  identity: Identity
  /** Nobody answers any more. */
  down: boolean
}

/** A wallet list of so many entries, named `Wallet 1`, `Wallet 2`, …. */
export function walletList(count: number): WalletListEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `wallet-${index + 1}`,
    name: `Wallet ${index + 1}`,
    image_id: `image-${index + 1}`,
    chains: [],
  }))
}

/** Answers in place of a Latchkey server until the test is over; pictures are not found. */
export function fakeServer(content: Partial<Pick<FakeServer, 'wallets' | 'balances' | 'identity'>> = {}): FakeServer {
  const server: FakeServer = {
    url: 'https://server.invalid',
    projectId: '0'.repeat(32),
    asked: [],
    wallets: [],
    balances: [],
    identity: {},
    down: false,
    ...content,
  }
  const { fetch } = globalThis
  onTestFinished(() => void (globalThis.fetch = fetch))
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== server.url) return fetch(input, init)
    server.asked.push(url)
    if (server.down) throw new TypeError('Nobody is there.')
    if (url.pathname.startsWith('/v1/identity/')) return Response.json(server.identity)
    return url.pathname === '/getWallets' ? listWallets(server, url) : Response.json({ balances: server.balances })
  }
  return server
}

function listWallets({ wallets }: FakeServer, { searchParams }: URL): Response {
  const [page, entries] = [Number(searchParams.get('page')), Number(searchParams.get('entries'))]
  const include = searchParams.get('include')?.split(',')
  const search = searchParams.get('search')?.toLowerCase() ?? ''
  const found = wallets.filter(
    ({ id, name }) => name.toLowerCase().includes(search) && (include === undefined || include.includes(id)),
  )
  return Response.json({ data: found.slice((page - 1) * entries, page * entries), count: found.length })
}
