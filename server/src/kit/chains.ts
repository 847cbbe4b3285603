import { isChainId, type ChainId } from '@latchkey/protocol'
import { z } from 'zod'
import { exchangeSchema, type Exchange } from './exchange.ts'
import { providerSchema, type Provider } from './provider.ts'
import { swapProviderSchema, type SwapProvider } from './swapProvider.ts'

/** A token that balances are read for. */
export type Token = { address: string; name: string; symbol: string; decimals: number; iconUrl?: string }

/** A contract that tells a price as Chainlink's do, and of what: the native currency, or a listed token. */
export type PriceFeed = { asset: string; feed: string }

/** How prices are read from pools: a listed token that is a dollar, and how many of them a pool holds at least. */
export type PricePools = { stable: string; minimum?: number }

/** What smart accounts need on a chain (ERC-4337): the wallet asks the bundler and the paymaster through this server. */
export type SmartAccounts = {
  entryPoint: string
  /** Makes the accounts. */
  factory: string
  bundlerUrl: string
  /** Pays for operations (ERC-7677); accounts pay for themselves when left out. */
  paymasterUrl?: string
}

/** A chain that the server reads. */
export type Chain = {
  caipNetworkId: ChainId
  name: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** Best first. */
  rpcUrls: readonly string[]
  /** Where nodes take websockets, best first: without one there are no subscriptions. */
  wsUrls?: readonly string[]
  tokens: readonly Token[]
  /** Kept in the own index from this block on; not indexed when absent. */
  index?: { from: number }
  /** Contracts that tell what an asset is worth in dollars. */
  priceFeeds?: readonly PriceFeed[]
  /** The contract that swaps tokens, as far as there is one: whom an allowance is for. */
  swapContract?: string
  /** What swaps here; left out, the known exchange of a known chain does, and `false` leaves the chain without. */
  exchange?: Exchange | false
  /** Finds the ways to swap in place of the exchange's own pools. */
  swapProvider?: SwapProvider
  /** Prices by the pools of the exchange. */
  pricePools?: PricePools
  /** Whom to ask where the own index and the nodes do not know, in this order. */
  providers?: readonly Provider[]
  /** Left out, the chain has no smart accounts. */
  smartAccounts?: SmartAccounts
}

const token = z.object({
  address: z.string().regex(/^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/, 'must be an address'),
  name: z.string().min(1),
  symbol: z.string().min(1),
  decimals: z.number().int().min(0).max(77),
  iconUrl: z.string().optional(),
})

const contract = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be a contract')

/** The chains of a configuration. */
export const chainsSchema = z.array(
  z.object({
    caipNetworkId: z.custom<ChainId>((id) => typeof id === 'string' && isChainId(id), 'must be a CAIP-2 id'),
    name: z.string().min(1),
    nativeCurrency: z.object({
      name: z.string(),
      symbol: z.string().min(1),
      decimals: z.number().int().min(0).max(77),
    }),
    rpcUrls: z.array(z.url({ protocol: /^https?$/ })).min(1, 'needs at least one endpoint'),
    wsUrls: z.array(z.url({ protocol: /^wss?$/ })).optional(),
    tokens: z.array(token).default([]),
    index: z.object({ from: z.number().int().min(0) }).optional(),
    priceFeeds: z.array(z.object({ asset: z.union([z.literal('native'), contract]), feed: contract })).optional(),
    swapContract: contract.optional(),
    exchange: z.union([z.literal(false), exchangeSchema]).optional(),
    swapProvider: swapProviderSchema.optional(),
    pricePools: z.object({ stable: contract, minimum: z.number().min(0).optional() }).optional(),
    providers: z.array(providerSchema).max(8).optional(),
    smartAccounts: z
      .object({
        entryPoint: contract,
        factory: contract,
        bundlerUrl: z.url({ protocol: /^https?$/ }),
        paymasterUrl: z.url({ protocol: /^https?$/ }).optional(),
      })
      .optional(),
  }),
)
