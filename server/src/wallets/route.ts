import type { WalletListPage } from '@latchkey/protocol'
import type { FastifyPluginAsync } from 'fastify'
import type { Guard } from '../api/guard.ts'
import { Problem } from '../kit/problem.ts'
import { drawTile } from './picture.ts'
import type { WalletList } from './walletList.ts'

type WalletsParts = { wallets: WalletList; guard: Guard }

type ListQuery = { page: number; entries: number; search?: string; include?: string; exclude?: string; chains?: string }

const text = { type: 'string', maxLength: 4096 } as const
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
      badge_type: { type: 'string' },
    },
  },
} as const

/** The wallet list and its pictures. */
export function walletRoutes({ wallets, guard }: WalletsParts): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Querystring: ListQuery }>('/getWallets', { schema }, async (request): Promise<WalletListPage> => {
      guard(request)
      const { page, entries, search, include, exclude, chains } = request.query
      const lists = { include: split(include), exclude: split(exclude), chains: split(chains) }
      return wallets.find({ page, entries, search, ...lists })
    })

    for (const path of ['/getWalletImage/:id', '/public/getAssetImage/:id']) {
      app.get<{ Params: { id: string } }>(path, async (request, reply) => {
        const wallet = wallets.byImage(request.params.id)
        if (wallet === undefined) throw new Problem(404, 'id', 'There is no such picture.')
        return reply
          .header('content-type', 'image/svg+xml')
          .header('content-security-policy', "sandbox; default-src 'none'")
          .header('cache-control', 'public, max-age=604800')
          .header('cross-origin-resource-policy', 'cross-origin')
          .send(drawTile(wallet.name))
      })
    }

    // There is no analytics, and asking says so.
    app.get('/getAnalyticsConfig', async () => ({ isAnalyticsEnabled: false }))
  }
}

function split(list: string | undefined): readonly string[] | undefined {
  return list === undefined || list === '' ? undefined : list.split(',')
}
