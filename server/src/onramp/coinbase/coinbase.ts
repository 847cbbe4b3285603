import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../kit/clock.ts'
import { askProvider } from '../askProvider.ts'
import type { OnRampConfig } from '../config.ts'
import { usualPayments } from '../limits.ts'
import { writeCents } from '../money.ts'
import type {
  Amount,
  MethodLimit,
  OnRampOptions,
  OnRampProvider,
  PaymentMethod,
  Purchase,
  PurchaseStatus,
} from '../provider.ts'
import { coinbaseToken } from './token.ts'

type Config = NonNullable<OnRampConfig['coinbase']>

/** The chains that it delivers to, by its names for them. Its purchases are for eip155 only [R9.4.6]. */
const chains: Readonly<Record<string, string>> = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:137': 'polygon',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:42220': 'celo',
  'eip155:43114': 'avalanche-c-chain',
}

const optionsLife = 600_000
const pageUrl = 'https://pay.coinbase.com/buy/select-asset'

/**
 * Coinbase's on-ramp, by its published API. Not proven against the live service: it was tried against answers that were
 * written from its documentation.
 */
export function createCoinbase(config: Config, clock: Clock): OnRampProvider {
  let kept: { options: Promise<OnRampOptions>; until: number } | undefined

  /** Each request has a token of its own. */
  function request<answer>(path: string, schema: z.ZodType<answer>, body?: object): Promise<answer> {
    const url = new URL(`/onramp/v1/${path}`, config.url)
    const method = body === undefined ? 'GET' : 'POST'
    const { host, pathname } = url
    const token = coinbaseToken({ ...config, method, host, path: pathname, now: clock.now() })
    return askProvider('Coinbase', url, { method, headers: { authorization: `Bearer ${token}` }, body }, schema)
  }

  async function readOptions(): Promise<OnRampOptions> {
    const told = await request(`buy/options?country=${config.country}`, optionsSchema)
    return toOptions(told)
  }

  return {
    name: 'coinbase',
    title: 'Coinbase',
    fee: { min: 1, max: 2 },
    serves: ({ caipNetworkId }) => Object.hasOwn(chains, caipNetworkId),
    options() {
      if (kept === undefined || clock.now() >= kept.until) {
        const options = readOptions()
        kept = { options, until: clock.now() + optionsLife }
        // A failure is not kept.
        options.catch(() => (kept = undefined))
      }
      return kept.options
    },
    async quote({ purchase, network, currency, cents, method }) {
      const told = await request('buy/quote', quoteSchema, {
        purchaseCurrency: purchase.id,
        purchaseNetwork: network.name,
        paymentAmount: writeCents(cents),
        paymentCurrency: currency,
        paymentMethod: methodNames[method],
        country: config.country,
      })
      return {
        paymentTotal: amountOf(told.paymentTotal),
        paymentSubtotal: amountOf(told.paymentSubtotal),
        purchaseAmount: amountOf(told.purchaseAmount),
        networkFee: amountOf(told.networkFee),
        providerFee: amountOf(told.coinbaseFee),
        quoteId: told.quoteId,
      }
    },
    async page({ address, network, purchase, currency, cents, clientAddress }) {
      const purchaseId = `coinbase_${randomBytes(16).toString('base64url')}`
      const { token } = await request('token', tokenSchema, {
        addresses: [{ address, blockchains: [network.name] }],
        assets: [purchase.symbol],
        clientIp: clientAddress,
      })
      const url = new URL(pageUrl)
      url.search = new URLSearchParams({
        sessionToken: token,
        defaultNetwork: network.name,
        defaultAsset: purchase.symbol,
        fiatCurrency: currency,
        ...(cents !== undefined && { presetFiatAmount: writeCents(cents) }),
        partnerUserRef: purchaseId,
      }).toString()
      return { url: url.href, purchaseId }
    },
    async purchase(id) {
      const { transactions } = await request(`buy/user/${encodeURIComponent(id)}/transactions?pageSize=1`, listSchema)
      const [transaction] = transactions
      return transaction === undefined ? undefined : toPurchase(id, transaction)
    },
  }
}

const methodNames: Readonly<Record<PaymentMethod, string>> = { card: 'CARD', ach_bank_account: 'ACH_BANK_ACCOUNT' }

const told = z.object({ value: z.string(), currency: z.string() })
const amountOf = ({ value, currency }: z.infer<typeof told>): Amount => ({ amount: value, currency })

const quoteSchema = z.object({
  paymentTotal: told,
  paymentSubtotal: told,
  purchaseAmount: told,
  coinbaseFee: told,
  networkFee: told,
  quoteId: z.string(),
})

const tokenSchema = z.object({ token: z.string().min(1) })

const optionsSchema = z.object({
  paymentCurrencies: z.array(
    z.object({ id: z.string(), limits: z.array(z.object({ id: z.string(), min: z.string(), max: z.string() })) }),
  ),
  purchaseCurrencies: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      symbol: z.string(),
      networks: z.array(
        z.object({
          name: z.string(),
          displayName: z.string(),
          chainId: z.union([z.string(), z.number()]),
          contractAddress: z.string().nullish(),
        }),
      ),
    }),
  ),
})

/** It does not say how finely an asset is divided; amounts are texts, so that this only bounds what is shown. */
const shownDecimals = 18

function toOptions({ paymentCurrencies, purchaseCurrencies }: z.infer<typeof optionsSchema>): OnRampOptions {
  return {
    paymentCurrencies: paymentCurrencies.map(({ id, limits }) => ({
      id,
      payment_method_limits: limitsOf(limits) ?? usualPayments[0]?.payment_method_limits ?? [],
    })),
    purchaseCurrencies: purchaseCurrencies.flatMap(({ networks, ...asset }) => {
      const served = networks.flatMap(({ name, displayName, chainId, contractAddress }) => {
        const caip = `eip155:${chainId}`
        if (!Object.hasOwn(chains, caip)) return []
        const contract = contractAddress ?? ''
        const ids = { chain_id: String(chainId), caip_network_id: caip, contract_address: contract }
        return [{ name, display_name: displayName, ...ids }]
      })
      return served.length === 0 ? [] : [{ ...asset, decimals: shownDecimals, networks: served }]
    }),
  }
}

function limitsOf(limits: readonly { id: string; min: string; max: string }[]): readonly MethodLimit[] | undefined {
  const known = limits.flatMap(({ id, min, max }): MethodLimit[] => {
    const method = (['card', 'ach_bank_account'] as const).find((name) => name === id.toLowerCase())
    return method === undefined ? [] : [{ id: method, min, max }]
  })
  return known.length === 0 ? undefined : known
}

const listSchema = z.object({
  transactions: z.array(
    z.object({
      status: z.string(),
      createdAt: z.string().optional(),
      paymentTotal: told.optional(),
      purchaseAmount: told.optional(),
      txHash: z.string().optional(),
    }),
  ),
})

const statuses: Readonly<Record<string, PurchaseStatus>> = {
  ONRAMP_TRANSACTION_STATUS_CREATED: 'waiting',
  ONRAMP_TRANSACTION_STATUS_IN_PROGRESS: 'paid',
  ONRAMP_TRANSACTION_STATUS_SUCCESS: 'arrived',
  ONRAMP_TRANSACTION_STATUS_FAILED: 'failed',
}

function toPurchase(id: string, transaction: z.infer<typeof listSchema>['transactions'][number]): Purchase {
  const { status, createdAt = '', paymentTotal, purchaseAmount, txHash } = transaction
  return {
    id,
    provider: 'coinbase',
    status: statuses[status] ?? 'waiting',
    createdAt,
    ...(paymentTotal !== undefined && { paymentTotal: amountOf(paymentTotal) }),
    ...(purchaseAmount !== undefined && { purchaseAmount: amountOf(purchaseAmount) }),
    ...(txHash !== undefined && /^0x[0-9a-f]{64}$/i.test(txHash) && { hash: txHash }),
  }
}
