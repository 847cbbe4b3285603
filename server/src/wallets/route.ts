import type { WalletListPage } from '@latchkey/protocol'
import type { FastifyPluginAsync } from 'fastify'
import type { Guard } from '../api/guard.ts'
import { Problem } from '../kit/problem.ts'
import type { PictureKind, Pictures } from './pictures.ts'
import type { WalletList } from './walletList.ts'

type WalletsParts = { wallets: WalletList; pictures: Pictures; guard: Guard }

/** Lists are comma-separated. */
type ListQuery = {
  page: number
  entries: number
  search?: string
  include?: string
  exclude?: string
  chains?: string
  names?: string
  rdns?: string
  badge_type?: string
  badge?: string
}

const text = { type: 'string', maxLength: 8192 } as const
const schema = {
  querystring: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 10_000, default: 1 },
      entries: { type: 'integer', minimum: 1, maximum: 100, default: 40 },
      search: { type: 'string', maxLength: 100 },
      include: text,
      exclude: text,
      chains: text,
      names: text,
      rdns: text,
      badge_type: text,
      badge: text,
    },
  },
} as const

const picturePaths: readonly (readonly [PictureKind, string])[] = [
  ['wallet', '/getWalletImage/:id'],
  ['asset', '/public/getAssetImage/:id'],
  ['currency', '/public/getCurrencyImage/:id'],
  ['token', '/public/getTokenImage/:id'],
]

/** The wallet list, the pictures that go with it, and the answer to who asks about analytics. */
export function walletRoutes({ wallets, pictures, guard }: WalletsParts): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Querystring: ListQuery }>('/getWallets', { schema }, async (request): Promise<WalletListPage> => {
      guard(request)
      const { page, entries, search, include, exclude, chains, names, rdns, badge_type, badge } = request.query
      // Nobody certifies wallets for us, so a list of certified ones is empty.
      if (badge_type === 'certified' || badge === 'certified') return { data: [], count: 0 }
      const named = { names: split(names), rdns: split(rdns) }
      const lists = { include: split(include), exclude: split(exclude), chains: split(chains) }
      return wallets.find({ page, entries, search, ...lists, ...named })
    })

    for (const [kind, path] of picturePaths) {
      app.get<{ Params: { id: string } }>(path, async (request, reply) => {
        const picture = pictures.find(kind, request.params.id)
        if (picture === undefined) throw new Problem(404, 'id', 'There is no such picture.')
        return reply
          .header('content-type', 'image/svg+xml')
          .header('content-security-policy', "sandbox; default-src 'none'")
          .header('cache-control', 'public, max-age=604800, immutable')
          .header('cross-origin-resource-policy', 'cross-origin')
          .send(picture)
      })
    }

    // There is no analytics, and asking says so.
    app.get('/getAnalyticsConfig', async () => ({ isAnalyticsEnabled: false }))
  }
}

function split(list: string | undefined): readonly string[] | undefined {
  return list === undefined || list === '' ? undefined : list.split(',')
}
