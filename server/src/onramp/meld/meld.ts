import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Problem } from '../../kit/problem.ts'
import { askProvider } from '../askProvider.ts'
import type { OnRampConfig } from '../config.ts'
import { usualPayments } from '../limits.ts'
import { writeCents } from '../money.ts'
import type { OnRampProvider, PaymentMethod, Purchase, PurchaseCurrency, PurchaseStatus } from '../provider.ts'

type Config = NonNullable<OnRampConfig['meld']>

/** What it sells on which chain, by its codes [R9.4.6]: eip155 and solana. */
const assets: ReadonlyArray<{
  symbol: string
  name: string
  decimals: number
  chains: Readonly<Record<string, string>>
}> = [
  {
    symbol: 'ETH',
    name: 'Ether',
    decimals: 18,
    chains: {
      'eip155:1': 'ETH',
      'eip155:10': 'ETH_OPTIMISM',
      'eip155:8453': 'ETH_BASE',
      'eip155:42161': 'ETH_ARBITRUM',
    },
  },
  {
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    chains: {
      'eip155:1': 'USDC',
      'eip155:10': 'USDC_OPTIMISM',
      'eip155:137': 'USDC_POLYGON',
      'eip155:8453': 'USDC_BASE',
      'eip155:42161': 'USDC_ARBITRUM',
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'USDC_SOLANA',
    },
  },
  { symbol: 'SOL', name: 'Solana', decimals: 9, chains: { 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'SOL' } },
]

const chainNames: Readonly<Record<string, string>> = {
  'eip155:1': 'Ethereum',
  'eip155:10': 'OP Mainnet',
  'eip155:137': 'Polygon',
  'eip155:8453': 'Base',
  'eip155:42161': 'Arbitrum One',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'Solana',
}

const version = '2023-12-19'

/**
 * Meld, by its published API. Not proven against the live service: it was tried against answers that were written from
 * its documentation.
 */
export function createMeld({ key, country, url }: Config): OnRampProvider {
  const headers = { authorization: `BASIC ${key}`, 'meld-version': version }

  function quotesOf(purchase: PurchaseCurrency, chain: string, currency: string, cents: bigint, method: PaymentMethod) {
    return askProvider(
      'Meld',
      new URL('/payments/crypto/quote', url),
      {
        method: 'POST',
        headers,
        body: {
          countryCode: country,
          sourceCurrencyCode: currency,
          sourceAmount: writeCents(cents),
          destinationCurrencyCode: codeOf(purchase, chain),
          paymentMethodType: methodNames[method],
        },
      },
      quotesSchema,
    )
  }

  return {
    name: 'meld',
    title: 'Meld',
    fee: { min: 1, max: 2 },
    serves: ({ caipNetworkId }) => Object.hasOwn(chainNames, caipNetworkId),
    options: async () => ({ paymentCurrencies: usualPayments, purchaseCurrencies: sold }),
    async quote({ purchase, network, currency, cents, method }) {
      const { quotes } = await quotesOf(purchase, network.caip_network_id, currency, cents, method)
      const [best] = quotes.toSorted((one, other) => other.destinationAmount - one.destinationAmount)
      if (best === undefined) throw new Problem(503, 'provider', 'Meld has no offer for this now. Try again later.')
      const money = (amount: number): { amount: string; currency: string } => ({ amount: amount.toFixed(2), currency })
      return {
        paymentTotal: money(best.sourceAmount),
        paymentSubtotal: money(best.sourceAmountWithoutFees),
        purchaseAmount: { amount: plain(best.destinationAmount), currency: purchase.symbol },
        networkFee: money(best.networkFee ?? 0),
        providerFee: money(best.totalFee - (best.networkFee ?? 0)),
        quoteId: `meld_${best.serviceProvider}`,
      }
    },
    async page({ address, network, purchase, currency, cents = 10_000n }) {
      const chain = network.caip_network_id
      const { quotes } = await quotesOf(purchase, chain, currency, cents, 'card')
      const [best] = quotes.toSorted((one, other) => other.destinationAmount - one.destinationAmount)
      if (best === undefined) throw new Problem(503, 'provider', 'Meld has no offer for this now. Try again later.')
      const purchaseId = `meld_${randomBytes(16).toString('base64url')}`
      const { widgetUrl } = await askProvider(
        'Meld',
        new URL('/crypto/session/widget', url),
        {
          method: 'POST',
          headers,
          body: {
            sessionType: 'BUY',
            externalSessionId: purchaseId,
            sessionData: {
              walletAddress: address,
              countryCode: country,
              sourceCurrencyCode: currency,
              sourceAmount: writeCents(cents),
              destinationCurrencyCode: codeOf(purchase, chain),
              serviceProvider: best.serviceProvider,
            },
          },
        },
        widgetSchema,
      )
      return { url: widgetUrl, purchaseId }
    },
    async purchase(id) {
      const search = new URL('/payments/transactions', url)
      search.searchParams.set('externalSessionIds', id)
      const { transactions } = await askProvider('Meld', search, { headers }, listSchema)
      const transaction = transactions.find(({ externalSessionId }) => externalSessionId === id)
      return transaction === undefined ? undefined : toPurchase(id, transaction)
    },
  }
}

const methodNames: Readonly<Record<PaymentMethod, string>> = { card: 'CREDIT_DEBIT_CARD', ach_bank_account: 'ACH' }

const sold: readonly PurchaseCurrency[] = assets.map(({ symbol, name, decimals, chains }) => ({
  id: symbol,
  name,
  symbol,
  decimals,
  networks: Object.keys(chains).map((caip) => ({
    name: caip,
    display_name: chainNames[caip] ?? caip,
    chain_id: caip.slice(caip.indexOf(':') + 1),
    caip_network_id: caip,
    contract_address: '',
  })),
}))

function codeOf({ symbol }: PurchaseCurrency, chain: string): string {
  const code = assets.find((asset) => asset.symbol === symbol)?.chains[chain]
  if (code === undefined) throw new Problem(400, 'network', 'Meld does not deliver this on that network.')
  return code
}

/** A number as a decimal text without an exponent. */
function plain(amount: number): string {
  const text = String(amount)
  return text.includes('e') ? amount.toFixed(18).replace(/\.?0+$/, '') : text
}

const quotesSchema = z.object({
  quotes: z.array(
    z.object({
      sourceAmount: z.number(),
      sourceAmountWithoutFees: z.number(),
      destinationAmount: z.number(),
      totalFee: z.number(),
      networkFee: z.number().nullish(),
      serviceProvider: z.string(),
    }),
  ),
})

const widgetSchema = z.object({ widgetUrl: z.url({ protocol: /^https$/ }) })

const listSchema = z.object({
  transactions: z.array(
    z.object({
      status: z.string(),
      externalSessionId: z.string().nullish(),
      createdAt: z.string(),
      sourceAmount: z.number().optional(),
      sourceCurrencyCode: z.string().optional(),
      cryptoDetails: z.object({ blockchainTransactionId: z.string().nullish() }).nullish(),
    }),
  ),
})

const paid: readonly string[] = ['PENDING', 'PROCESSING', 'AUTHORIZED', 'SETTLING', 'ONRAMP_SETTLED']
const failed: readonly string[] = ['REFUNDED', 'CANCELLED', 'FAILED', 'ERROR', 'VOIDED', 'AUTHORIZATION_EXPIRED']

function statusOf(status: string): PurchaseStatus {
  if (status === 'SETTLED') return 'arrived'
  if (status === 'DECLINED') return 'declined'
  if (failed.includes(status)) return 'failed'
  return paid.includes(status) ? 'paid' : 'waiting'
}

function toPurchase(id: string, transaction: z.infer<typeof listSchema>['transactions'][number]): Purchase {
  const { status, createdAt, sourceAmount, sourceCurrencyCode: currency, cryptoDetails } = transaction
  const hash = cryptoDetails?.blockchainTransactionId ?? undefined
  return {
    id,
    provider: 'meld',
    status: statusOf(status),
    createdAt,
    ...(sourceAmount !== undefined &&
      currency !== undefined && { paymentTotal: { amount: sourceAmount.toFixed(2), currency } }),
    ...(hash !== undefined && { hash }),
  }
}
