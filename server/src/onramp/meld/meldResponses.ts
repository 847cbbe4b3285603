import { Type, type Static } from '@sinclair/typebox'
import { urlSchema } from '../../kit/config/schemas.ts'
import type { Amount, Purchase, PurchaseStatus, Quote, QuoteRequest } from '../onRampProvider.ts'

const nullish = <schema extends Parameters<typeof Type.Union>[0][number]>(schema: schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const quotesSchema = Type.Object({
  quotes: Type.Array(
    Type.Object({
      sourceAmount: Type.Number(),
      sourceAmountWithoutFees: Type.Number(),
      destinationAmount: Type.Number(),
      totalFee: Type.Number(),
      networkFee: nullish(Type.Number()),
      serviceProvider: Type.String(),
    }),
  ),
})

const widgetSchema = Type.Object({ widgetUrl: urlSchema(['https']) })

const transactionSchema = Type.Object({
  status: Type.String(),
  externalSessionId: nullish(Type.String()),
  createdAt: Type.String(),
  sourceAmount: Type.Optional(Type.Number()),
  sourceCurrencyCode: Type.Optional(Type.String()),
  cryptoDetails: nullish(Type.Object({ blockchainTransactionId: nullish(Type.String()) })),
})

const transactionsSchema = Type.Object({ transactions: Type.Array(transactionSchema) })

/** The schemas of Meld's responses: quotes, purchase pages and transactions. */
export const meldResponses = { quotes: quotesSchema, widget: widgetSchema, transactions: transactionsSchema } as const

const paidStatuses: readonly string[] = ['PENDING', 'PROCESSING', 'AUTHORIZED', 'SETTLING', 'ONRAMP_SETTLED']
const failedStatuses: readonly string[] = [
  'REFUNDED',
  'CANCELLED',
  'FAILED',
  'ERROR',
  'VOIDED',
  'AUTHORIZATION_EXPIRED',
]

function toPurchaseStatus(status: string): PurchaseStatus {
  if (status === 'SETTLED') return 'arrived'
  if (status === 'DECLINED') return 'declined'
  if (failedStatuses.includes(status)) return 'failed'
  return paidStatuses.includes(status) ? 'paid' : 'waiting'
}

/** A quote of Meld. */
export type MeldQuote = Static<typeof quotesSchema>['quotes'][number]

/** Converts a quote of Meld. */
export function toMeldQuote(
  quote: MeldQuote,
  { currency, purchase }: Pick<QuoteRequest, 'currency' | 'purchase'>,
): Quote {
  const money = (amount: number): Amount => ({ amount: amount.toFixed(2), currency })
  return {
    paymentTotal: money(quote.sourceAmount),
    paymentSubtotal: money(quote.sourceAmountWithoutFees),
    purchaseAmount: { amount: formatDecimal(quote.destinationAmount), currency: purchase.symbol },
    networkFee: money(quote.networkFee ?? 0),
    providerFee: money(quote.totalFee - (quote.networkFee ?? 0)),
    quoteId: `meld_${quote.serviceProvider}`,
  }
}

/** Converts a transaction of Meld to the purchase with our id. */
export function toMeldPurchase(id: string, transaction: Static<typeof transactionSchema>): Purchase {
  const { status, createdAt, sourceAmount, sourceCurrencyCode: currency, cryptoDetails } = transaction
  const hash = cryptoDetails?.blockchainTransactionId ?? undefined
  return {
    id,
    provider: 'meld',
    status: toPurchaseStatus(status),
    createdAt,
    ...(sourceAmount !== undefined &&
      currency !== undefined && { paymentTotal: { amount: sourceAmount.toFixed(2), currency } }),
    ...(hash !== undefined && { hash }),
  }
}

/** Formats a number as a decimal string without an exponent. */
function formatDecimal(amount: number): string {
  const text = String(amount)
  return text.includes('e') ? amount.toFixed(18).replace(/\.?0+$/, '') : text
}
