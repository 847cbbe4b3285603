import { randomBytes } from 'node:crypto'
import { isAddress } from 'viem'
import type { Chain } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Rates } from '../config.ts'
import { defaultPayments } from '../defaultPayments.ts'
import { formatCents } from '../cents.ts'
import type {
  OnRampOptions,
  OnRampProvider,
  PageRequest,
  Purchase,
  PurchaseCurrency,
  PurchaseNetwork,
  PurchaseStatus,
  Quote,
  QuoteRequest,
} from '../onRampProvider.ts'
import { sandboxPath } from './sandboxPage.ts'
import { getFee, getRate, getUnits } from './sandboxFees.ts'
import type { SandboxPurchase, SandboxStatus, SandboxStore } from './sandboxStore.ts'
import type { Treasury } from './treasury.ts'

/** The sandbox pays out only on local development chains, where coins have no value. */
const developmentChains: readonly string[] = ['eip155:31337', 'eip155:31338', 'eip155:1337']

const dayMs = 86_400_000
const defaultCents = 10_000n

export type SandboxDependencies = {
  rates: Rates
  chains: readonly Chain[]
  store: SandboxStore
  treasury: Treasury
  clock: Clock
  /** The URL at which browsers reach this server. */
  origin(): string
}

/** Creates a provider that simulates payments and really pays out on a development chain. */
export function createSandbox(dependencies: SandboxDependencies): OnRampProvider {
  const { chains, rates, store, treasury, clock } = dependencies
  const served = chains.filter(({ caipNetworkId }) => developmentChains.includes(caipNetworkId))
  const options = getOptions(served, rates)
  return {
    name: 'sandbox',
    title: 'Sandbox',
    fee: { min: 1, max: 2 },
    serves: (chain) => served.includes(chain),
    options: async () => options,
    quote: async (request) => getQuote(rates, request),
    async page({ address, network, purchase, currency, cents = defaultCents }: PageRequest) {
      if (!isAddress(address)) throw new Problem(400, 'destinationWallets', 'This is not an address of the network.')
      const now = clock.now()
      await store.forget(now - dayMs)
      const [id, page] = [`sandbox_${createSecret()}`, createSecret()]
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
      return { url: `${dependencies.origin()}${sandboxPath}/${page}`, purchaseId: id }
    },
    async purchase(id) {
      const before = await store.byId(id)
      if (before?.status === 'paid' || before?.status === 'sent') await treasury.settle(id)
      const purchase = await store.byId(id)
      return purchase === undefined ? undefined : toPurchase(purchase)
    },
  }
}

function createSecret(): string {
  return randomBytes(16).toString('base64url')
}

/** The assets of the configured chains that have a price. */
function getOptions(served: readonly Chain[], rates: Rates): OnRampOptions {
  const bySymbol = new Map<string, PurchaseCurrency & { networks: PurchaseNetwork[] }>()
  for (const { caipNetworkId, name, nativeCurrency, tokens } of served) {
    for (const { symbol, decimals, ...asset } of [{ ...nativeCurrency, address: '' }, ...tokens]) {
      const known = bySymbol.get(symbol) ?? { id: symbol, name: asset.name, symbol, decimals, networks: [] }
      // Assets with equal symbols but different decimals are different assets.
      if (Object.hasOwn(rates, symbol) && known.decimals === decimals) {
        known.networks.push(toPurchaseNetwork(caipNetworkId, name, asset.address))
        bySymbol.set(symbol, known)
      }
    }
  }
  const purchaseCurrencies = [...bySymbol.values()]
  const isPriced = (currency: string): boolean =>
    purchaseCurrencies.some(({ symbol }) => getRate(rates, symbol, currency) !== undefined)
  return { paymentCurrencies: defaultPayments.filter(({ id }) => isPriced(id)), purchaseCurrencies }
}

function toPurchaseNetwork(caip: string, name: string, contract: string): PurchaseNetwork {
  return {
    name: caip,
    display_name: name,
    chain_id: caip.slice(caip.indexOf(':') + 1),
    caip_network_id: caip,
    contract_address: contract,
  }
}

function requireRate(rates: Rates, symbol: string, currency: string): string {
  const rate = getRate(rates, symbol, currency)
  if (rate === undefined) throw new Problem(503, 'provider', `The sandbox has no price of ${symbol} in ${currency}.`)
  return rate
}

function getQuote(rates: Rates, { purchase, currency, cents, method }: QuoteRequest): Quote {
  const rate = requireRate(rates, purchase.symbol, currency)
  const fee = getFee(cents, method)
  const units = getUnits(cents - fee, rate, purchase.decimals)
  const money = (amount: bigint): { amount: string; currency: string } => ({ amount: formatCents(amount), currency })
  return {
    paymentTotal: money(cents),
    paymentSubtotal: money(cents - fee),
    purchaseAmount: { amount: formatBaseUnits(units, purchase.decimals), currency: purchase.symbol },
    networkFee: money(0n),
    providerFee: money(fee),
    quoteId: `sandbox_${createSecret()}`,
  }
}

const statuses: Readonly<Record<SandboxStatus, PurchaseStatus>> = {
  open: 'waiting',
  challenged: 'waiting',
  paid: 'paid',
  sent: 'paid',
  arrived: 'arrived',
  refunded: 'failed',
  cancelled: 'failed',
}

function toPurchase(purchase: SandboxPurchase): Purchase {
  const { id, status, decline, createdAt, cents, currency, units, decimals, symbol, chain, hash } = purchase
  return {
    id,
    provider: 'sandbox',
    status: status === 'open' && decline !== undefined ? 'declined' : statuses[status],
    createdAt: new Date(createdAt).toISOString(),
    paymentTotal: { amount: formatCents(cents), currency },
    ...(units !== undefined && { purchaseAmount: { amount: formatBaseUnits(units, decimals), currency: symbol } }),
    caipNetworkId: chain,
    ...(hash !== undefined && { hash }),
  }
}
