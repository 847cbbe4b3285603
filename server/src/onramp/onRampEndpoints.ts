import { Type } from '@sinclair/typebox'
import { commonQuery } from '../api/http/commonQuery.ts'
import type { Chain } from '../kit/chain/chains.ts'
import { defineEndpoint, type Endpoint } from '../kit/http/defineEndpoint.ts'
import { chooseNetwork, choosePayment, chooseProvider, choosePurchase, parsePaymentAmount } from './choose.ts'
import type { OnRampOptions, OnRampProvider, Purchase } from './onRampProvider.ts'
import { parsePurchasePageRequest } from './purchasePageRequest.ts'

export type OnRampEndpointDependencies = {
  providers: readonly OnRampProvider[]
  chains: readonly Chain[]
  trustedProxies: number
}

const group = 'Buying'
const name = Type.String({ maxLength: 64 })
const providerQuery = { provider: Type.Optional(name) }

const amount = Type.Object({ amount: Type.String(), currency: Type.String() })

const optionsResponse = Type.Unsafe<OnRampOptions>(
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

/** `GET /v1/onramp/options`: payment currencies, their limits, and the assets for sale. */
function createOptionsEndpoint({ providers }: OnRampEndpointDependencies): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/onramp/options',
    group,
    summary: 'Payment currencies, their limits, and the assets for sale. Of the first provider, unless you name one.',
    query: Type.Object({ ...commonQuery, ...providerQuery }),
    response: optionsResponse,
    example: {},
    handle: ({ query }) =>
      providers.length === 0
        ? { paymentCurrencies: [], purchaseCurrencies: [] }
        : chooseProvider(providers, query.provider).options(),
  })
}

/** `GET /v1/onramp/providers`: the providers, their chains and their fees. */
function createProvidersEndpoint({ providers, chains }: OnRampEndpointDependencies): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/onramp/providers',
    group,
    summary: 'The providers, their chains, and their fees in percent.',
    query: Type.Object(commonQuery),
    response: Type.Array(
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

const paymentMethod = Type.Optional(Type.Union([Type.Literal('card'), Type.Literal('ach_bank_account')]))
const named = Type.Union([name, Type.Object({ id: name })])
const toCurrencyId = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id)

/** `POST /v1/onramp/quote`: the cost of a purchase. */
function createQuoteEndpoint({ providers }: OnRampEndpointDependencies): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/onramp/quote',
    group,
    summary: 'The cost of a purchase. Fails if the provider gives no quote; quotes are never estimated.',
    query: Type.Object(commonQuery),
    body: Type.Object({
      purchaseCurrency: named,
      paymentCurrency: named,
      amount: Type.String({ maxLength: 32 }),
      network: Type.Optional(name),
      paymentMethod,
      ...providerQuery,
    }),
    response: Type.Object({
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
      const purchase = choosePurchase(offered, toCurrencyId(body.purchaseCurrency))
      const payment = choosePayment(offered, toCurrencyId(body.paymentCurrency))
      const method = body.paymentMethod ?? 'card'
      return provider.quote({
        purchase,
        network: chooseNetwork(purchase, body.network, 'network'),
        currency: payment.id,
        cents: parsePaymentAmount(body.amount, payment, method),
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
  paymentMethod,
  ...providerQuery,
})

/** `POST /v1/generators/onrampurl`: creates a purchase page. */
function createPageEndpoint({ providers, trustedProxies }: OnRampEndpointDependencies): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/generators/onrampurl',
    group,
    summary: 'Creates a purchase page for an address. Returns its URL and the id of the purchase.',
    query: Type.Object(commonQuery),
    body: pageBody,
    response: Type.Object({ url: Type.String(), purchaseId: Type.String() }),
    example: {
      body: {
        destinationWallets: [{ address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', assets: ['ETH'] }],
        partnerUserId: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      },
    },
    async handle({ body, raw }) {
      const provider = chooseProvider(providers, body.provider)
      return provider.page(parsePurchasePageRequest(body, await provider.options(), { raw, trustedProxies }))
    },
  })
}

const maxPurchases = 20

/** `GET /v1/onramp/purchases`: the status of purchases, by the ids of their pages. */
function createPurchasesEndpoint({ providers }: OnRampEndpointDependencies): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/onramp/purchases',
    group,
    summary: 'The status of purchases, by comma-separated ids. Unknown ids are left out.',
    query: Type.Object({ ...commonQuery, ids: Type.String({ maxLength: 2_048 }) }),
    response: Type.Unsafe<{ purchases: readonly Purchase[] }>(
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
        .slice(0, maxPurchases)
      const found = await Promise.all(
        ids.map((id) => providers.find((each) => each.name === id.slice(0, id.indexOf('_')))?.purchase(id)),
      )
      return { purchases: found.filter((purchase) => purchase !== undefined) }
    },
  })
}

/** Creates the endpoints of the on-ramp, grouped by rate limit. */
export function createOnRampEndpoints(
  dependencies: OnRampEndpointDependencies,
): Readonly<Record<'reads' | 'quotes' | 'pages', readonly Endpoint[]>> {
  return {
    reads: [
      createOptionsEndpoint(dependencies),
      createProvidersEndpoint(dependencies),
      createPurchasesEndpoint(dependencies),
    ],
    quotes: [createQuoteEndpoint(dependencies)],
    pages: [createPageEndpoint(dependencies)],
  }
}
