import { isAccountId, parseAccountId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { Chain, Token } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { currencies } from '../currencies.ts'
import { commonQuery, isAddressOf } from '../questions.ts'
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
/** What the native currency is called where an address is expected. */
const nativeAddresses: readonly string[] = [
  `0x${'e'.repeat(40)}`,
  'So11111111111111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
]

type Asked = { id: string; chain: Chain; asset: string; about: Omit<Token, 'address'> }

export type PricesParts = { chains: readonly Chain[]; prices: PriceSource }

/** `POST /v1/fungible/price`: what tokens are worth. One whose price is not known is left out. */
export function fungiblePrices({ chains, prices }: PricesParts): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/v1/fungible/price',
    group: 'Prices',
    summary: 'What tokens are worth; those whose price is not known are left out.',
    query: Type.Object(commonQuery),
    body: Type.Object({
      projectId: Type.Optional(Type.String({ maxLength: 64 })),
      currency: Type.String({ maxLength: 8 }),
      addresses: Type.Array(Type.String({ maxLength: 180 }), { maxItems: most }),
    }),
    answer: Type.Object({ fungibles: Type.Array(fungible) }),
    example: { body: { currency: 'usd', addresses: [`eip155:31337:${nativeAddresses[0] ?? ''}`] } },
    async handle({ body: { currency, addresses }, log }) {
      if (!currencies.includes(currency)) throw new Problem(400, 'currency', 'This currency is not known here.')
      if (addresses.length === 0) throw new Problem(400, 'address', 'Name at least one token.')
      const asked = [...new Set(addresses)].flatMap((id) => readAsked(chains, id))
      try {
        return { fungibles: await tell(prices, asked, currency) }
      } catch (cause) {
        log.warn({ reason: cause instanceof Error ? cause.message : '' }, 'no prices')
        throw new Problem(503, 'chainId', 'Prices cannot be told now.', { cause })
      }
    },
  })
}

/**
 * What is asked by a CAIP-10 id; nothing when it is a token that nobody listed.
 *
 * @throws Problem 400 `address` or `chainId`
 */
function readAsked(chains: readonly Chain[], id: string): readonly Asked[] {
  if (!isAccountId(id)) throw new Problem(400, 'address', 'This is not a CAIP-10 id.')
  const { chainId, namespace, address } = parseAccountId(id)
  if (!isAddressOf(namespace, address)) throw new Problem(400, 'address', `This is not an address of ${namespace}.`)
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  const plain = namespace === 'eip155' ? address.toLowerCase() : address
  if (nativeAddresses.includes(plain)) return [{ id, chain, asset: 'native', about: chain.nativeCurrency }]
  const token = chain.tokens.find((each) => each.address === address || each.address.toLowerCase() === plain)
  return token === undefined ? [] : [{ id, chain, asset: address, about: token }]
}

async function tell(prices: PriceSource, asked: readonly Asked[], currency: string) {
  const chains = [...new Set(asked.map(({ chain }) => chain))]
  const told = await Promise.all(
    chains.map(async (chain) => {
      const own = asked.filter((each) => each.chain === chain)
      const assets = own.map(({ asset }) => asset)
      const known = await prices.prices(chain, assets, currency)
      return own.flatMap(({ id, asset, about: { name, symbol, decimals, iconUrl = '' } }) => {
        const price = known.get(asset)
        return price === undefined ? [] : [{ address: id, name, symbol, iconUrl, price, decimals }]
      })
    }),
  )
  return told.flat()
}
