import { Type } from '@sinclair/typebox'
import { commonQuery } from '../api/questions.ts'
import type { Chain } from '../kit/chains.ts'
import { endpoint, type Endpoint } from '../kit/endpoint.ts'
import { chooseNetwork, choosePayment, chooseProvider, choosePurchase, readAmount } from './choose.ts'
import type { OnRampOptions, OnRampProvider, Purchase } from './provider.ts'
import { readPage } from './readPage.ts'

export type OnRampEndpointParts = {
  providers: readonly OnRampProvider[]
  chains: readonly Chain[]
  trustedProxies: number
}

const group = 'Buying'
const name = Type.String({ maxLength: 64 })
const providerQuery = { provider: Type.Optional(name) }

const amount = Type.Object({ amount: Type.String(), currency: Type.String() })

const optionsAnswer = Type.Unsafe<OnRampOptions>(
  Type.Object({
    paymentCurrencies: Type.Array(
      Type.Object({
        id: Type.String(),
        payment_method_limits: Type.Array(Type.Object({ id: Type.String(), min: Type.String(), max: Type.String() })),
      }),
    ),
    purchaseCurrencies: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        symbol: Type.String(),
        decimals: Type.Number(),
        networks: Type.Array(
          Type.Object({
            name: Type.String(),
            display_name: Type.String(),
            chain_id: Type.String(),
            caip_network_id: Type.String(),
            contract_address: Type.String(),
          }),
        ),
      }),
    ),
  }),
)

/** `GET /v1/onramp/options`: what one pays with, within which limits, and what it buys. */
function options({ providers }: OnRampEndpointParts): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/onramp/options',
    group,
    summary: 'Currencies to pay with, their limits, and what can be bought; of the first provider unless one is named.',
    query: Type.Object({ ...commonQuery, ...providerQuery }),
    answer: optionsAnswer,
    example: {},
    handle: ({ query }) =>
      providers.length === 0
        ? { paymentCurrencies: [], purchaseCurrencies: [] }
        : chooseProvider(providers, query.provider).options(),
  })
}

/** `GET /v1/onramp/providers`: who sells, on which chains, and what he takes. */
function listProviders({ providers, chains }: OnRampEndpointParts): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/onramp/providers',
    group,
    summary: 'Who sells on which chains, and what he takes in per cent.',
    query: Type.Object(commonQuery),
    answer: Type.Array(
      Type.Object({
        serviceProvider: Type.String(),
        name: Type.String(),
        status: Type.String(),
        categories: Type.Array(Type.String()),
        fee: Type.Object({ min: Type.Number(), max: Type.Number() }),
        chains: Type.Array(Type.String()),
      }),
    ),
    example: {},
    handle: () =>
      providers.map((provider) => ({
        serviceProvider: provider.name,
        name: provider.title,
        status: 'LIVE',
        categories: ['CRYPTO_ONRAMP'],
        fee: provider.fee,
        chains: chains.filter((chain) => provider.serves(chain)).map(({ caipNetworkId }) => caipNetworkId),
      })),
  })
}

const named = Type.Union([name, Type.Object({ id: name })])
const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id)

/** `POST /v1/onramp/quote`: what a purchase would come to. */
function quote({ providers }: OnRampEndpointParts): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/v1/onramp/quote',
    group,
    summary: 'What a purchase would come to. A provider that cannot tell is an error, never a guess.',
    query: Type.Object(commonQuery),
    body: Type.Object({
      purchaseCurrency: named,
      paymentCurrency: named,
      amount: Type.String({ maxLength: 32 }),
      network: Type.Optional(name),
      paymentMethod: Type.Optional(Type.Union([Type.Literal('card'), Type.Literal('ach_bank_account')])),
      ...providerQuery,
    }),
    answer: Type.Object({
      paymentTotal: amount,
      paymentSubtotal: amount,
      purchaseAmount: amount,
      networkFee: amount,
      providerFee: amount,
      quoteId: Type.String(),
    }),
    example: { body: { purchaseCurrency: { id: 'ETH' }, paymentCurrency: { id: 'USD' }, amount: '100.00' } },
    async handle({ body }) {
      const provider = chooseProvider(providers, body.provider)
      const offered = await provider.options()
      const purchase = choosePurchase(offered, idOf(body.purchaseCurrency))
      const payment = choosePayment(offered, idOf(body.paymentCurrency))
      const method = body.paymentMethod ?? 'card'
      return provider.quote({
        purchase,
        network: chooseNetwork(purchase, body.network, 'network'),
        currency: payment.id,
        cents: readAmount(body.amount, payment, method),
        method,
      })
    },
  })
}

const texts = Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 }))
const number = Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 32 }), Type.Null()]))

const pageBody = Type.Object({
  destinationWallets: Type.Array(
    Type.Object({
      address: Type.String({ maxLength: 128 }),
      blockchains: texts,
      assets: texts,
      supportedNetworks: texts,
    }),
    { minItems: 1, maxItems: 20 },
  ),
  partnerUserId: Type.String({ maxLength: 128 }),
  defaultNetwork: Type.Optional(Type.Union([name, Type.Null()])),
  defaultExperience: Type.Optional(Type.Union([Type.Literal('buy'), Type.Literal('send')])),
  presetCryptoAmount: number,
  presetFiatAmount: number,
  handlingRequestedUrls: Type.Optional(Type.Boolean()),
  purchaseCurrency: Type.Optional(name),
  paymentCurrency: Type.Optional(name),
  ...providerQuery,
})

/** `POST /v1/generators/onrampurl`: makes a purchase page. */
function page({ providers, trustedProxies }: OnRampEndpointParts): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/v1/generators/onrampurl',
    group,
    summary: 'Makes a page on which something is bought for an address, and the id that its purchase is looked up by.',
    query: Type.Object(commonQuery),
    body: pageBody,
    answer: Type.Object({ url: Type.String(), purchaseId: Type.String() }),
    example: {
      body: {
        destinationWallets: [{ address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', assets: ['ETH'] }],
        partnerUserId: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    },
    async handle({ body, raw }) {
      const provider = chooseProvider(providers, body.provider)
      return provider.page(readPage(body, await provider.options(), { raw, trustedProxies }))
    },
  })
}

const mostPurchases = 20

/** `GET /v1/onramp/purchases`: how purchases stand, by the ids that their pages came with. */
function purchases({ providers }: OnRampEndpointParts): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/onramp/purchases',
    group,
    summary: 'How purchases stand, by their ids with commas between. Those that nobody knows are left out.',
    query: Type.Object({ ...commonQuery, ids: Type.String({ maxLength: 2_048 }) }),
    answer: Type.Unsafe<{ purchases: readonly Purchase[] }>(
      Type.Object({
        purchases: Type.Array(
          Type.Object({
            id: Type.String(),
            provider: Type.String(),
            status: Type.String(),
            createdAt: Type.String(),
            paymentTotal: Type.Optional(amount),
            purchaseAmount: Type.Optional(amount),
            caipNetworkId: Type.Optional(Type.String()),
            hash: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
    example: { query: { ids: 'sandbox_AAAAAAAAAAAAAAAAAAAAAA' } },
    cache: 'no-store',
    async handle({ query }) {
      const ids = [...new Set(query.ids.split(','))]
        .filter((id) => /^[a-z]+_[\w-]{22}$/.test(id))
        .slice(0, mostPurchases)
      const found = await Promise.all(
        ids.map((id) => providers.find((each) => each.name === id.slice(0, id.indexOf('_')))?.purchase(id)),
      )
      return { purchases: found.filter((purchase) => purchase !== undefined) }
    },
  })
}

/** What clients of on-ramps ask, by what is counted together. */
export function onRampEndpoints(
  parts: OnRampEndpointParts,
): Readonly<Record<'reads' | 'quotes' | 'pages', readonly Endpoint[]>> {
  return {
    reads: [options(parts), listProviders(parts), purchases(parts)],
    quotes: [quote(parts)],
    pages: [page(parts)],
  }
}
