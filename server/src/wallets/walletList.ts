import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { WalletListEntry, WalletListPage } from '@latchkey/protocol'

/** A wallet as the data file has it: facts that its makers publish. */
type WalletFacts = {
  slug: string
  name: string
  homepage?: string
  rdns?: string
  /** Namespaces that it supports. */
  chains: readonly string[]
  mobile?: string
  desktop?: string
  webapp?: string
}

export type WalletQuery = {
  page: number
  entries: number
  search?: string
  include?: readonly string[]
  exclude?: readonly string[]
  chains?: readonly string[]
}

/** The wallets that are offered, in the order they are shown. */
export type WalletList = {
  /** One page of those that a query asks for. */
  find(query: WalletQuery): WalletListPage
  /** The entry that a picture belongs to. */
  byImage(imageId: string): WalletListEntry | undefined
}

/**
 * Reads the wallet list from the repository's data file.
 *
 * @param developerWalletUrl where the developer wallet is; it is listed first where there is one
 */
export function readWalletList(developerWalletUrl: string | undefined): WalletList {
  // From the sources and from the build alike: both lie one folder below the server.
  const file = new URL('../../src/wallets/wallets.json', import.meta.url)
  // Our own file, whose form a test checks.
  const facts = JSON.parse(readFileSync(file, 'utf8')) as readonly WalletFacts[]
  const wallets = [...developerWallet(developerWalletUrl), ...facts].map(describe)
  return {
    find: (query) => select(wallets, query),
    byImage: (imageId) => wallets.find(({ image_id }) => image_id === imageId),
  }
}

function developerWallet(url: string | undefined): readonly WalletFacts[] {
  if (url === undefined) return []
  return [{ slug: 'latchkey-developer', name: 'Latchkey Developer Wallet', webapp: url, chains: ['eip155'] }]
}

function describe({ slug, name, homepage, rdns, chains, mobile, desktop, webapp }: WalletFacts): WalletListEntry {
  const id = createHash('sha256').update(`latchkey wallet ${slug}`).digest('hex')
  return {
    id,
    name,
    image_id: `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-8${id.slice(17, 20)}-${id.slice(20, 32)}`,
    homepage,
    rdns,
    chains,
    mobile_link: mobile,
    desktop_link: desktop,
    webapp_link: webapp,
  }
}

function select(wallets: readonly WalletListEntry[], query: WalletQuery): WalletListPage {
  const { page, entries, search = '', include, exclude, chains } = query
  const words = search.trim().toLowerCase()
  const namespaces = chains?.map((chain) => chain.split(':')[0])
  const found = wallets
    .filter(({ id }) => include === undefined || include.includes(id))
    .filter(({ id }) => exclude === undefined || !exclude.includes(id))
    .filter((wallet) => namespaces === undefined || namespaces.some((name) => wallet.chains.includes(name ?? '')))
    .filter(({ name }) => name.toLowerCase().includes(words))
  return { data: found.slice((page - 1) * entries, page * entries), count: found.length }
}
