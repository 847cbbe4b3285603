import type { ChainId } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import { choiceSchema, contractSchema, urlSchema, webUrlSchema } from '../config/schemas.ts'
import { exchangeSchema, type Exchange } from './exchange.ts'
import { dataProviderSchema, type DataProvider } from './dataProvider.ts'
import { swapProviderSchema, type SwapProvider } from './swapProvider.ts'

/** A token whose balances the server reads. */
export type Token = { address: string; name: string; symbol: string; decimals: number; iconUrl?: string }

/** A price feed contract in the form of Chainlink's. `asset` is `native` or the address of a listed token. */
export type PriceFeed = { asset: string; feed: string }

/** Reads prices from pools: `stable` is a listed dollar token, `minimum` the least that a pool must hold of it. */
export type PricePools = { stable: string; minimum?: number }

/** The contracts and services of smart accounts (ERC-4337). Wallets reach the bundler and the paymaster through this server. */
export type SmartAccounts = {
  entryPoint: string
  /** The account factory. */
  factory: string
  /** The contracts that enforce permissions. Only wallets enforce them if omitted. */
  delegations?: DelegationContracts
  bundlerUrl: string
  /** The paymaster (ERC-7677). Accounts pay for themselves if omitted. */
  paymasterUrl?: string
  /** Daily spending of the paymaster. Default: 0.1 per user and 10 per project, in units of 10^18. */
  paymasterBudgets?: PaymasterBudgets
}

/** Contracts of the Delegation Framework (ERC-7710). The manager is the one that the factory's accounts trust. */
export type DelegationContracts = {
  manager: string
  enforcers: Readonly<Record<Enforcer, string>>
}

type Enforcer = keyof (typeof enforcersSchema)['properties']

/** Maximum spending of a paymaster per day (UTC), in base units of the native currency. */
export type PaymasterBudgets = {
  /** Per smart account. */
  user: string
  /** Per project. */
  project: string
}

/** The part of a chain that is indexed. */
export type IndexOptions = {
  /** The first indexed block. */
  from: number
  /** Index the transactions of all addresses, or only of those that clients requested. Default: all. */
  addresses?: 'all' | 'requested'
  /** The most requested addresses. Default: 100,000. */
  maxAddresses?: number
  /** The most transactions of a requested address. The oldest are left out. Default: 10,000. */
  maxTransactions?: number
}

/** A configured chain. */
export type Chain = {
  caipNetworkId: ChainId
  name: string
  nativeCurrency: { name: string; symbol: string; decimals: number }
  /** Best first. */
  rpcUrls: readonly string[]
  /** Websocket endpoints, best first. There are no subscriptions if omitted. */
  wsUrls?: readonly string[]
  tokens: readonly Token[]
  /** Contracts of tokens and NFTs that count as spam. */
  spamTokens?: readonly string[]
  /** Not indexed if omitted. */
  index?: IndexOptions
  /** Contracts with the dollar prices of assets. */
  priceFeeds?: readonly PriceFeed[]
  /** The contract that swaps tokens, which gets the allowances. */
  swapContract?: string
  /** The exchange of the chain. A known chain has a default; `false` disables swaps. */
  exchange?: Exchange | false
  /** Finds routes instead of the pools of the exchange. */
  swapProvider?: SwapProvider
  /** Prices from the pools of the exchange. */
  pricePools?: PricePools
  /** Providers for data that the index and the nodes do not have, in this order. */
  providers?: readonly DataProvider[]
  /** The chain has no smart accounts if omitted. */
  smartAccounts?: SmartAccounts
}

const chainIdSchema = Type.Unsafe<ChainId>(
  Type.String({ pattern: '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$', message: 'must be a CAIP-2 id' }),
)
const nonEmpty = Type.String({ minLength: 1 })
const decimalsSchema = Type.Integer({ minimum: 0, maximum: 77 })

const tokenSchema = Type.Object({
  address: Type.String({
    pattern: '^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$',
    message: 'must be an address',
  }),
  name: nonEmpty,
  symbol: nonEmpty,
  decimals: decimalsSchema,
  iconUrl: Type.Optional(Type.String()),
})

const unitsSchema = Type.String({ pattern: '^[0-9]{1,30}$', message: 'must be base units in decimal digits' })

const enforcersSchema = Type.Object({
  allowedTargets: contractSchema,
  allowedMethods: contractSchema,
  exactCalldata: contractSchema,
  valueLte: contractSchema,
  nativeTokenTransferAmount: contractSchema,
  nativeTokenPeriodTransfer: contractSchema,
  erc20PeriodTransfer: contractSchema,
  timestamp: contractSchema,
})

const delegationsSchema = Type.Object({ manager: contractSchema, enforcers: enforcersSchema })

const smartAccountsSchema = Type.Object({
  entryPoint: contractSchema,
  factory: contractSchema,
  delegations: Type.Optional(delegationsSchema),
  bundlerUrl: webUrlSchema,
  paymasterUrl: Type.Optional(webUrlSchema),
  paymasterBudgets: Type.Optional(Type.Object({ user: unitsSchema, project: unitsSchema })),
})

const priceFeedSchema = Type.Object({
  asset: Type.Union([Type.Literal('native'), contractSchema], { message: 'must be native, or a contract' }),
  feed: contractSchema,
})

const indexSchema = Type.Object({
  from: Type.Integer({ minimum: 0 }),
  addresses: Type.Optional(choiceSchema(['all', 'requested'] as const)),
  maxAddresses: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  maxTransactions: Type.Optional(Type.Integer({ minimum: 50, maximum: 1_000_000 })),
})

/** The schema of the configured chains. */
export const chainsSchema = Type.Array(
  Type.Object({
    caipNetworkId: chainIdSchema,
    name: nonEmpty,
    nativeCurrency: Type.Object({ name: Type.String(), symbol: nonEmpty, decimals: decimalsSchema }),
    rpcUrls: Type.Array(webUrlSchema, { minItems: 1, message: 'needs at least one endpoint' }),
    wsUrls: Type.Optional(Type.Array(urlSchema(['ws', 'wss']))),
    tokens: Type.Array(tokenSchema, { default: [] }),
    spamTokens: Type.Optional(Type.Array(tokenSchema.properties.address)),
    index: Type.Optional(indexSchema),
    priceFeeds: Type.Optional(Type.Array(priceFeedSchema)),
    swapContract: Type.Optional(contractSchema),
    exchange: Type.Optional(Type.Union([Type.Literal(false), exchangeSchema])),
    swapProvider: Type.Optional(swapProviderSchema),
    pricePools: Type.Optional(
      Type.Object({ stable: contractSchema, minimum: Type.Optional(Type.Number({ minimum: 0 })) }),
    ),
    providers: Type.Optional(Type.Array(dataProviderSchema, { maxItems: 8 })),
    smartAccounts: Type.Optional(smartAccountsSchema),
  }),
)
