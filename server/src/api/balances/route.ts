import { isAccountId, type BalanceAnswer } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { currencies } from '../currencies.ts'
import { addressParam, chainIdQuery, commonQuery, readAddress } from '../questions.ts'
import type { PriceSource } from '../prices/priceSource.ts'
import type { BalanceSource } from './balanceSource.ts'
import { chosenChains, readBalances } from './readBalances.ts'

type BalancesParts = { chains: readonly Chain[]; sources: readonly BalanceSource[]; prices?: PriceSource }

const answer = Type.Unsafe<BalanceAnswer>(
  Type.Object({
    balances: Type.Array(
      Type.Object({
        name: Type.String(),
        symbol: Type.String(),
        chainId: Type.String(),
        address: Type.Optional(Type.String()),
        value: Type.Optional(Type.Number()),
        price: Type.Number(),
        quantity: Type.Object({ decimals: Type.String(), numeric: Type.String() }),
        iconUrl: Type.String(),
      }),
    ),
  }),
)

/** `GET /v1/account/:address/balance`: what an address holds, on one chain or on all of eip155. */
export function balances({ chains, sources, prices }: BalancesParts): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/account/:address/balance',
    group: 'Accounts',
    summary: 'What an address holds, on one chain or on all of its family.',
    params: addressParam,
    query: Type.Object({
      ...commonQuery,
      ...chainIdQuery,
      currency: Type.String({ maxLength: 8 }),
      forceUpdate: Type.Optional(Type.String({ maxLength: 4_096 })),
    }),
    answer,
    example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }, query: { currency: 'usd' } },
    async handle({ params, query, log }) {
      const { currency, chainId, forceUpdate } = query
      if (!currencies.includes(currency)) throw new Problem(400, 'currency', 'This currency is not known here.')
      const { namespace, address } = readAddress(params.address, chainId)
      const forced = readForced(forceUpdate)
      const wanted = chosenChains(chains, sources, namespace, chainId)
      return { balances: await readBalances({ log, sources, prices, currency, forced }, wanted, address) }
    },
  })
}

/** The assets whose balance has to be read now, by their chain. */
function readForced(forceUpdate: string | undefined): ReadonlyMap<string, readonly string[]> {
  const assets = forceUpdate === undefined || forceUpdate === '' ? [] : forceUpdate.split(',')
  if (!assets.every((asset) => isAccountId(asset) && asset.startsWith('eip155:'))) {
    throw new Problem(400, 'forceUpdate', 'forceUpdate is a list of CAIP-10 ids of eip155.')
  }
  const forced = new Map<string, string[]>()
  for (const asset of assets) {
    const end = asset.lastIndexOf(':')
    const [chain, token] = [asset.slice(0, end), asset.slice(end + 1).toLowerCase()]
    const known = forced.get(chain) ?? []
    // The native currency is read in any case.
    forced.set(chain, token === nativeAddress || !/^0x[0-9a-f]{40}$/.test(token) ? known : [...known, token])
  }
  return forced
}

const nativeAddress = `0x${'e'.repeat(40)}`
