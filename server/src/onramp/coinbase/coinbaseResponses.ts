import { Type, type Static } from '@sinclair/typebox'
import { defaultPayments } from '../defaultPayments.ts'
import type { Amount, MethodLimit, OnRampOptions, Purchase, PurchaseStatus, Quote } from '../onRampProvider.ts'

/** Coinbase's network names by chain. Purchases are for eip155 only [R9.4.6]. */
export const coinbaseNetworks: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:137': 'polygon',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:42220': 'celo',
  'eip155:43114': 'avalanche-c-chain',
}

const valueSchema = Type.Object({ value: Type.String(), currency: Type.String() })

const quoteSchema = Type.Object({
  paymentTotal: valueSchema,
  paymentSubtotal: valueSchema,
  purchaseAmount: valueSchema,
  coinbaseFee: valueSchema,
  networkFee: valueSchema,
  quoteId: Type.String(),
})

const tokenSchema = Type.Object({ token: Type.String({ minLength: 1 }) })

const limitSchema = Type.Object({ id: Type.String(), min: Type.String(), max: Type.String() })
const networkSchema = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  chainId: Type.Union([Type.String(), Type.Number()]),
  contractAddress: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

const optionsSchema = Type.Object({
  paymentCurrencies: Type.Array(Type.Object({ id: Type.String(), limits: Type.Array(limitSchema) })),
  purchaseCurrencies: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      symbol: Type.String(),
      networks: Type.Array(networkSchema),
    }),
  ),
})

const transactionSchema = Type.Object({
  status: Type.String(),
  createdAt: Type.Optional(Type.String()),
  paymentTotal: Type.Optional(valueSchema),
  purchaseAmount: Type.Optional(valueSchema),
  txHash: Type.Optional(Type.String()),
})

const transactionsSchema = Type.Object({ transactions: Type.Array(transactionSchema) })

/** The schemas of Coinbase's responses: `buy/quote`, `token`, `buy/options` and `buy/user/:id/transactions`. */
export const coinbaseResponses = {
  quote: quoteSchema,
  token: tokenSchema,
  options: optionsSchema,
  transactions: transactionsSchema,
} as const

function toAmount({ value, currency }: Static<typeof valueSchema>): Amount {
  return { amount: value, currency }
}

/** Converts a quote of Coinbase. */
export function toCoinbaseQuote(quote: Static<typeof quoteSchema>): Quote {
  return {
    paymentTotal: toAmount(quote.paymentTotal),
    paymentSubtotal: toAmount(quote.paymentSubtotal),
    purchaseAmount: toAmount(quote.purchaseAmount),
    networkFee: toAmount(quote.networkFee),
    providerFee: toAmount(quote.coinbaseFee),
    quoteId: quote.quoteId,
  }
}

/** Coinbase does not report decimals. Amounts are strings, so this number only limits how many digits are shown. */
const shownDecimals = 18

/** Converts the options of Coinbase. Networks that this server does not know are left out. */
export function toOnRampOptions(options: Static<typeof optionsSchema>): OnRampOptions {
  const { paymentCurrencies, purchaseCurrencies } = options
  return {
    paymentCurrencies: paymentCurrencies.map(({ id, limits }) => ({
      id,
      payment_method_limits: toMethodLimits(limits) ?? defaultPayments[0]?.payment_method_limits ?? [],
    })),
    purchaseCurrencies: purchaseCurrencies.flatMap(({ networks, ...asset }) => {
      const served = networks.flatMap(({ name, displayName, chainId, contractAddress }) => {
        const caip = `eip155:${chainId}`
        if (!Object.hasOwn(coinbaseNetworks, caip)) return []
        const contract = contractAddress ?? ''
        const ids = { chain_id: String(chainId), caip_network_id: caip, contract_address: contract }
        return [{ name, display_name: displayName, ...ids }]
      })
      return served.length === 0 ? [] : [{ ...asset, decimals: shownDecimals, networks: served }]
    }),
  }
}

function toMethodLimits(limits: readonly Static<typeof limitSchema>[]): readonly MethodLimit[] | undefined {
  const known = limits.flatMap(({ id, min, max }): MethodLimit[] => {
    const method = (['card', 'ach_bank_account'] as const).find((name) => name === id.toLowerCase())
    return method === undefined ? [] : [{ id: method, min, max }]
  })
  return known.length === 0 ? undefined : known
}

const statuses: Readonly<Record<string, PurchaseStatus>> = {
  ONRAMP_TRANSACTION_STATUS_CREATED: 'waiting',
  ONRAMP_TRANSACTION_STATUS_IN_PROGRESS: 'paid',
  ONRAMP_TRANSACTION_STATUS_SUCCESS: 'arrived',
  ONRAMP_TRANSACTION_STATUS_FAILED: 'failed',
}

/** Converts a transaction of Coinbase to the purchase with our id. */
export function toCoinbasePurchase(id: string, transaction: Static<typeof transactionSchema>): Purchase {
  const { status, createdAt = '', paymentTotal, purchaseAmount, txHash } = transaction
  return {
    id,
    provider: 'coinbase',
    status: statuses[status] ?? 'waiting',
    createdAt,
    ...(paymentTotal !== undefined && { paymentTotal: toAmount(paymentTotal) }),
    ...(purchaseAmount !== undefined && { purchaseAmount: toAmount(purchaseAmount) }),
    ...(txHash !== undefined && /^0x[0-9a-f]{64}$/i.test(txHash) && { hash: txHash }),
  }
}
