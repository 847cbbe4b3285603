import { randomBytes } from 'node:crypto'
import { isAddress } from 'viem'
import type { Chain } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import { decimal } from '../../kit/decimal.ts'
import { Problem } from '../../kit/problem.ts'
import type { Rates } from '../config.ts'
import { usualPayments } from '../limits.ts'
import { writeCents } from '../money.ts'
import type {
  OnRampOptions,
  OnRampProvider,
  PageQuestion,
  Purchase,
  PurchaseCurrency,
  PurchaseNetwork,
  PurchaseStatus,
  Quote,
  QuoteQuestion,
} from '../provider.ts'
import { sandboxPath } from './page.ts'
import { feeOf, rateOf, unitsFor } from './price.ts'
import type { SandboxPurchase, SandboxStatus, SandboxStore } from './store.ts'
import type { Treasury } from './treasury.ts'

/** Coins that nobody paid for may be given away where coins are worth nothing: on chains that run on one machine. */
const developmentChains: readonly string[] = ['eip155:31337', 'eip155:31338', 'eip155:1337']

const day = 86_400_000
/** What a purchase is about where nobody said an amount. */
const usualCents = 10_000n

export type SandboxParts = {
  rates: Rates
  chains: readonly Chain[]
  store: SandboxStore
  treasury: Treasury
  clock: Clock
  /** Where browsers reach this server. */
  origin(): string
}

/** A provider that pretends to take money, and really pays out on a development chain. */
export function createSandbox(parts: SandboxParts): OnRampProvider {
  const { chains, rates, store, treasury, clock } = parts
  const served = chains.filter(({ caipNetworkId }) => developmentChains.includes(caipNetworkId))
  const options = optionsOf(served, rates)
  return {
    name: 'sandbox',
    title: 'Sandbox',
    fee: { min: 1, max: 2 },
    serves: (chain) => served.includes(chain),
    options: async () => options,
    quote: async (question) => quote(rates, question),
    async page({ address, network, purchase, currency, cents = usualCents }: PageQuestion) {
      if (!isAddress(address)) throw new Problem(400, 'destinationWallets', 'This is not an address of the network.')
      const now = clock.now()
      await store.forget(now - day)
      const [id, page] = [`sandbox_${secret()}`, secret()]
      await store.add({
        id,
        page,
        chain: network.caip_network_id,
        token: network.contract_address,
        symbol: purchase.symbol,
        decimals: purchase.decimals,
        receiver: address,
        currency,
        cents,
        rate: requireRate(rates, purchase.symbol, currency),
        createdAt: now,
      })
      return { url: `${parts.origin()}${sandboxPath}/${page}`, purchaseId: id }
    },
    async purchase(id) {
      const before = await store.byId(id)
      if (before?.status === 'paid' || before?.status === 'sent') await treasury.settle(id)
      const purchase = await store.byId(id)
      return purchase === undefined ? undefined : tell(purchase)
    },
  }
}

function secret(): string {
  return randomBytes(16).toString('base64url')
}

/** What of the configured chains has a price. */
function optionsOf(served: readonly Chain[], rates: Rates): OnRampOptions {
  const bySymbol = new Map<string, PurchaseCurrency & { networks: PurchaseNetwork[] }>()
  for (const { caipNetworkId, name, nativeCurrency, tokens } of served) {
    for (const { symbol, decimals, ...asset } of [{ ...nativeCurrency, address: '' }, ...tokens]) {
      const known = bySymbol.get(symbol) ?? { id: symbol, name: asset.name, symbol, decimals, networks: [] }
      // Two assets of one symbol with other decimals are not the same.
      if (Object.hasOwn(rates, symbol) && known.decimals === decimals) {
        known.networks.push(networkOf(caipNetworkId, name, asset.address))
        bySymbol.set(symbol, known)
      }
    }
  }
  const purchaseCurrencies = [...bySymbol.values()]
  const isPriced = (currency: string): boolean =>
    purchaseCurrencies.some(({ symbol }) => rateOf(rates, symbol, currency) !== undefined)
  return { paymentCurrencies: usualPayments.filter(({ id }) => isPriced(id)), purchaseCurrencies }
}

function networkOf(caip: string, name: string, contract: string): PurchaseNetwork {
  return {
    name: caip,
    display_name: name,
    chain_id: caip.slice(caip.indexOf(':') + 1),
    caip_network_id: caip,
    contract_address: contract,
  }
}

function requireRate(rates: Rates, symbol: string, currency: string): string {
  const rate = rateOf(rates, symbol, currency)
  if (rate === undefined) throw new Problem(503, 'provider', `The sandbox has no price of ${symbol} in ${currency}.`)
  return rate
}

function quote(rates: Rates, { purchase, currency, cents, method }: QuoteQuestion): Quote {
  const rate = requireRate(rates, purchase.symbol, currency)
  const fee = feeOf(cents, method)
  const units = unitsFor(cents - fee, rate, purchase.decimals)
  const money = (amount: bigint): { amount: string; currency: string } => ({ amount: writeCents(amount), currency })
  return {
    paymentTotal: money(cents),
    paymentSubtotal: money(cents - fee),
    purchaseAmount: { amount: decimal(units, purchase.decimals), currency: purchase.symbol },
    networkFee: money(0n),
    providerFee: money(fee),
    quoteId: `sandbox_${secret()}`,
  }
}

const told: Readonly<Record<SandboxStatus, PurchaseStatus>> = {
  open: 'waiting',
  challenged: 'waiting',
  paid: 'paid',
  sent: 'paid',
  arrived: 'arrived',
  refunded: 'failed',
  cancelled: 'failed',
}

function tell(purchase: SandboxPurchase): Purchase {
  const { id, status, decline, createdAt, cents, currency, units, decimals, symbol, chain, hash } = purchase
  return {
    id,
    provider: 'sandbox',
    status: status === 'open' && decline !== undefined ? 'declined' : told[status],
    createdAt: new Date(createdAt).toISOString(),
    paymentTotal: { amount: writeCents(cents), currency },
    ...(units !== undefined && { purchaseAmount: { amount: decimal(units, decimals), currency: symbol } }),
    caipNetworkId: chain,
    ...(hash !== undefined && { hash }),
  }
}
