import type { WalletListPage } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import { commonQuery } from '../api/http/commonQuery.ts'
import { defineEndpoint, type Endpoint } from '../kit/http/defineEndpoint.ts'
import { platformOfUserAgent, walletPlatforms, type WalletPlatform } from './rankWallets.ts'
import type { WalletList } from './walletList.ts'

const text = Type.Optional(Type.String({ maxLength: 8_192 }))
const maybe = Type.Optional(Type.String())

const result = Type.Unsafe<WalletListPage>(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        image_id: Type.String(),
        chains: Type.Array(Type.String()),
        rdns: maybe,
        homepage: maybe,
        mobile_link: maybe,
        desktop_link: maybe,
        webapp_link: maybe,
        link_mode: maybe,
        chrome_store: maybe,
        app_store: maybe,
        play_store: maybe,
      }),
    ),
    count: Type.Integer(),
  }),
)

/**
 * `GET /getWallets`: the wallet list, page by page. Lists in the query are comma-separated. Wallets that the device can open come
 * first, then the most used ones; those made for a requested chain move up. The device follows from `platform`, or from the
 * `User-Agent` header.
 */
export function createWalletListEndpoint({ wallets }: { wallets: WalletList }): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/getWallets',
    group: 'Wallets',
    summary: 'The wallet list, page by page, ranked by device, chains and use.',
    query: Type.Object({
      ...commonQuery,
      page: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }),
      entries: Type.Integer({ minimum: 1, maximum: 100, default: 40 }),
      search: Type.Optional(Type.String({ maxLength: 100 })),
      include: text,
      exclude: text,
      chains: text,
      names: text,
      rdns: text,
      badge_type: text,
      badge: text,
      platform: text,
    }),
    response: result,
    example: {},
    handle({ query, raw }) {
      const { page, entries, search, include, exclude, chains, names, rdns, badge_type, badge } = query
      // No wallets are certified, so the list is empty.
      if (badge_type === 'certified' || badge === 'certified') return { data: [], count: 0 }
      const named = { names: splitList(names), rdns: splitList(rdns) }
      const lists = { include: splitList(include), exclude: splitList(exclude), chains: splitList(chains) }
      const platform = toPlatform(query.platform) ?? platformOfUserAgent(raw.headers['user-agent'])
      return wallets.find({ page, entries, search, platform, ...lists, ...named })
    },
  })
}

/** `GET /getAnalyticsConfig`: reports that analytics is off. */
export function createAnalyticsConfigEndpoint(): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/getAnalyticsConfig',
    group: 'Wallets',
    summary: 'Reports that analytics is off.',
    query: Type.Object(commonQuery),
    response: Type.Object({ isAnalyticsEnabled: Type.Boolean() }),
    isPublic: true,
    example: {},
    handle: () => ({ isAnalyticsEnabled: false }),
  })
}

function splitList(list: string | undefined): readonly string[] | undefined {
  return list === undefined || list === '' ? undefined : list.split(',')
}

/** Older clients name other platforms, which have no effect. */
function toPlatform(text: string | undefined): WalletPlatform | undefined {
  return walletPlatforms.find((platform) => platform === text)
}
