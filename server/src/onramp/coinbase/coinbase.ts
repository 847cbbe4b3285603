import { randomBytes } from 'node:crypto'
import type { Static, TSchema } from '@sinclair/typebox'
import type { Clock } from '../../kit/runtime/clock.ts'
import { requestOnRampProvider } from '../requestOnRampProvider.ts'
import type { OnRampConfig } from '../config.ts'
import { formatCents } from '../cents.ts'
import type { OnRampOptions, OnRampProvider, PageRequest, PaymentMethod } from '../onRampProvider.ts'
import {
  coinbaseNetworks,
  coinbaseResponses,
  toCoinbasePurchase,
  toCoinbaseQuote,
  toOnRampOptions,
} from './coinbaseResponses.ts'
import { createCoinbaseToken } from './coinbaseToken.ts'

type Config = NonNullable<OnRampConfig['coinbase']>

const optionsTtlMs = 600_000
const pageUrl = 'https://pay.coinbase.com/buy/select-asset'
const methodNames: Readonly<Record<PaymentMethod, string>> = { card: 'CARD', ach_bank_account: 'ACH_BANK_ACCOUNT' }

/**
 * Creates the provider for Coinbase's on-ramp API. It was tested against responses written from Coinbase's
 * documentation, not against the live service.
 */
export function createCoinbase(config: Config, clock: Clock): OnRampProvider {
  let cached: { options: Promise<OnRampOptions>; until: number } | undefined

  /** Each request carries its own bearer token. */
  function request<schema extends TSchema>(path: string, schema: schema, body?: object): Promise<Static<schema>> {
    const url = new URL(`/onramp/v1/${path}`, config.url)
    const method = body === undefined ? 'GET' : 'POST'
    const { host, pathname } = url
    const token = createCoinbaseToken({ ...config, method, host, path: pathname, now: clock.now() })
    const headers = { authorization: `Bearer ${token}` }
    return requestOnRampProvider('Coinbase', url, { method, headers, body }, schema)
  }

  async function fetchOptions(): Promise<OnRampOptions> {
    return toOnRampOptions(await request(`buy/options?country=${config.country}`, coinbaseResponses.options))
  }

  return {
    name: 'coinbase',
    title: 'Coinbase',
    fee: { min: 1, max: 2 },
    serves: ({ caipNetworkId }) => Object.hasOwn(coinbaseNetworks, caipNetworkId),
    options() {
      if (cached === undefined || clock.now() >= cached.until) {
        const options = fetchOptions()
        cached = { options, until: clock.now() + optionsTtlMs }
        // Failures are not cached.
        options.catch(() => (cached = undefined))
      }
      return cached.options
    },
    async quote({ purchase, network, currency, cents, method }) {
      const quote = await request('buy/quote', coinbaseResponses.quote, {
        purchaseCurrency: purchase.id,
        purchaseNetwork: network.name,
        paymentAmount: formatCents(cents),
        paymentCurrency: currency,
        paymentMethod: methodNames[method],
        country: config.country,
      })
      return toCoinbaseQuote(quote)
    },
    async page(pageRequest) {
      const { address, network, purchase, clientAddress } = pageRequest
      const purchaseId = `coinbase_${randomBytes(16).toString('base64url')}`
      const { token } = await request('token', coinbaseResponses.token, {
        addresses: [{ address, blockchains: [network.name] }],
        assets: [purchase.symbol],
        clientIp: clientAddress,
      })
      return { url: formatPageUrl(pageRequest, token, purchaseId), purchaseId }
    },
    async purchase(id) {
      const path = `buy/user/${encodeURIComponent(id)}/transactions?pageSize=1`
      const { transactions } = await request(path, coinbaseResponses.transactions)
      const [transaction] = transactions
      return transaction === undefined ? undefined : toCoinbasePurchase(id, transaction)
    },
  }
}

function formatPageUrl(
  { network, purchase, currency, cents, method }: PageRequest,
  token: string,
  purchaseId: string,
): string {
  const url = new URL(pageUrl)
  url.search = new URLSearchParams({
    sessionToken: token,
    defaultNetwork: network.name,
    defaultAsset: purchase.symbol,
    fiatCurrency: currency,
    defaultPaymentMethod: methodNames[method],
    ...(cents !== undefined && { presetFiatAmount: formatCents(cents) }),
    partnerUserRef: purchaseId,
  }).toString()
  return url.href
}
