import { isAccountId, type BalanceResponse } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chain/chains.ts'
import { clientAddress } from '../../kit/http/clientAddress.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { assertCurrency } from '../http/assertCurrency.ts'
import { addressParam, chainIdQuery, commonQuery, parseAddress } from '../http/commonQuery.ts'
import type { AddressRequests } from '../history/createAddressRequests.ts'
import type { PriceSource } from '../prices/priceSource.ts'
import type { TokenIcons } from '../../wallets/icons/tokenIcons.ts'
import type { SpamMarks } from '../spamReports/spamMarks.ts'
import type { BalanceSource } from './balanceSource.ts'
import { selectChains, getBalances } from './getBalances.ts'

type BalancesDependencies = {
  chains: readonly Chain[]
  sources: readonly BalanceSource[]
  prices?: PriceSource
  tokenIcons?: TokenIcons
  spamMarks?: SpamMarks
  /** Notes the requests of chains that index only requested addresses. */
  requests?: AddressRequests
  trustedProxies?: number
}

const result = Type.Unsafe<BalanceResponse>(
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

/** `GET /v1/account/:address/balance`: the balances of an address on one chain, or on all EVM chains. */
export function createBalancesEndpoint(dependencies: BalancesDependencies): Endpoint {
  const { chains, sources, prices, tokenIcons, spamMarks, requests, trustedProxies = 0 } = dependencies
  return defineEndpoint({
    method: 'GET',
    path: '/v1/account/:address/balance',
    group: 'Accounts',
    summary: 'The balances of an address, on one chain or on all chains of its namespace.',
    params: addressParam,
    query: Type.Object({
      ...commonQuery,
      ...chainIdQuery,
      currency: Type.String({ maxLength: 8 }),
      forceUpdate: Type.Optional(Type.String({ maxLength: 4_096 })),
    }),
    response: result,
    example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }, query: { currency: 'usd' } },
    async handle({ params, query, log, raw }) {
      const { currency, chainId, forceUpdate } = query
      assertCurrency(currency)
      const { namespace, address } = parseAddress(params.address, chainId)
      const forced = parseForceUpdate(forceUpdate)
      const wanted = selectChains(chains, sources, namespace, chainId)
      const requester = { client: clientAddress(raw, trustedProxies), project: query.projectId ?? '' }
      await requests?.note(wanted, address, requester)
      const request = { log, sources, prices, tokenIcons, spamMarks, currency, forced }
      return { balances: await getBalances(request, wanted, address) }
    },
  })
}

/** Parses the assets whose balance must be read from the chain now, by chain. */
function parseForceUpdate(forceUpdate: string | undefined): ReadonlyMap<string, readonly string[]> {
  const assets = forceUpdate === undefined || forceUpdate === '' ? [] : forceUpdate.split(',')
  if (!assets.every((asset) => isAccountId(asset) && asset.startsWith('eip155:'))) {
    throw new Problem(400, 'forceUpdate', 'forceUpdate must be a list of CAIP-10 ids of eip155.')
  }
  const forced = new Map<string, string[]>()
  for (const asset of assets) {
    const end = asset.lastIndexOf(':')
    const [chain, token] = [asset.slice(0, end), asset.slice(end + 1).toLowerCase()]
    const known = forced.get(chain) ?? []
    // The native currency is always read.
    forced.set(chain, token === nativeAddress || !/^0x[0-9a-f]{40}$/.test(token) ? known : [...known, token])
  }
  return forced
}

const nativeAddress = `0x${'e'.repeat(40)}`
