import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { Chain, Token } from '../../kit/chain/chains.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { assertCurrency } from '../http/assertCurrency.ts'
import { commonQuery, isNamespaceAddress } from '../http/commonQuery.ts'
import type { TokenIcons } from '../../wallets/icons/tokenIcons.ts'
import type { PriceSource } from './priceSource.ts'

const fungible = Type.Object({
  address: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  iconUrl: Type.String(),
  price: Type.Number(),
  decimals: Type.Integer(),
})

const most = 50
/** Addresses that represent the native currency. */
const nativeAddresses: readonly string[] = [
  `0x${'e'.repeat(40)}`,
  'So11111111111111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
]

type PricedToken = { id: string; chain: Chain; asset: string; about: Omit<Token, 'address'> }

export type PricesDependencies = { chains: readonly Chain[]; prices: PriceSource; tokenIcons?: TokenIcons }

/** `POST /v1/fungible/price`: prices of tokens. Tokens without a known price are left out. */
export function createPricesEndpoint({ chains, prices, tokenIcons }: PricesDependencies): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/fungible/price',
    group: 'Prices',
    summary: 'The prices of tokens. Tokens without a known price are left out.',
    query: Type.Object(commonQuery),
    body: Type.Object({
      projectId: Type.Optional(Type.String({ maxLength: 64 })),
      currency: Type.String({ maxLength: 8 }),
      addresses: Type.Array(Type.String({ maxLength: 180 }), { maxItems: most }),
    }),
    response: Type.Object({ fungibles: Type.Array(fungible) }),
    example: { body: { currency: 'usd', addresses: [`eip155:31337:${nativeAddresses[0] ?? ''}`] } },
    async handle({ body: { currency, addresses }, log }) {
      assertCurrency(currency)
      if (addresses.length === 0) throw new Problem(400, 'address', 'Name at least one token.')
      const requested = [...new Set(addresses)].flatMap((id) => parsePricedToken(chains, id))
      try {
        return { fungibles: await getTokenPrices({ prices, tokenIcons }, requested, currency) }
      } catch (cause) {
        log.warn({ reason: cause instanceof Error ? cause.message : '' }, 'no prices')
        throw new Problem(503, 'chainId', 'Prices are not available right now.', { cause })
      }
    },
  })
}

/**
 * Parses the CAIP-10 id of a token. Returns an empty list for unlisted tokens.
 *
 * @throws Problem 400 `address` or `chainId`
 */
function parsePricedToken(chains: readonly Chain[], id: string): readonly PricedToken[] {
  if (!isAccountId(id)) throw new Problem(400, 'address', 'This is not a CAIP-10 id.')
  const { chainId, namespace, address } = parseAccountId(id)
  if (!isNamespaceAddress(namespace, address))
    throw new Problem(400, 'address', `This is not an address of ${namespace}.`)
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  const plain = namespace === 'eip155' ? address.toLowerCase() : address
  if (nativeAddresses.includes(plain)) return [{ id, chain, asset: 'native', about: chain.nativeCurrency }]
  const token = chain.tokens.find((each) => each.address === address || each.address.toLowerCase() === plain)
  return token === undefined ? [] : [{ id, chain, asset: address, about: token }]
}

async function getTokenPrices(
  { prices, tokenIcons }: Omit<PricesDependencies, 'chains'>,
  requested: readonly PricedToken[],
  currency: string,
) {
  const chains = [...new Set(requested.map(({ chain }) => chain))]
  const priced = await Promise.all(
    chains.map(async (chain) => {
      const own = requested.filter((each) => each.chain === chain)
      const assets = own.map(({ asset }) => asset)
      const known = await prices.prices(chain, assets, currency)
      return own.flatMap(({ id, asset, about: { name, symbol, decimals, iconUrl = '' } }) => {
        const price = known.get(asset)
        const address = asset === 'native' ? undefined : asset
        const picture = tokenIcons?.urlOf({ chainId: chain.caipNetworkId, symbol, address, iconUrl }) ?? iconUrl
        return price === undefined ? [] : [{ address: id, name, symbol, iconUrl: picture, price, decimals }]
      })
    }),
  )
  return priced.flat()
}
