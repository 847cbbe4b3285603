import { Type } from '@sinclair/typebox'
import type { Bus } from '../../kit/bus/bus.ts'
import { createCache } from '../../kit/cache/cache.ts'
import { createChainRpc, type ChainRpc } from '../../kit/chain/chainRpc.ts'
import type { Token } from '../../kit/chain/chains.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { commonQuery } from '../http/commonQuery.ts'
import { parseAbiWord } from '../tokens/abi.ts'
import {
  accountIdSchema,
  getSwapMarket,
  wrapUnavailable,
  parseEvmAccountId,
  type ConvertDependencies,
  type SwapMarket,
} from './swapRequest.ts'
import type { TokenIcons } from '../../wallets/icons/tokenIcons.ts'
import { exampleIds } from './exampleIds.ts'
import { nativeAddress } from './routeSource.ts'

/** `DOMAIN_SEPARATOR()` and `nonces(address)` of the zero address. A token that returns both accepts permits (EIP-2612). */
const permitCalls = ['0x3644e515', `0x7ecebe00${'0'.repeat(64)}`] as const
const ttl = 86_400_000
const limit = 1_000
const tokensPerRequest = 50

export type TokensDependencies = ConvertDependencies & {
  pools: EndpointPools
  bus: Bus
  clock: Clock
  tokenIcons?: TokenIcons
}

const responseSchema = Type.Object({
  exactOutput: Type.Boolean({ description: 'True if quotes of this chain accept exact=output.' }),
  tokens: Type.Array(
    Type.Object({
      name: Type.String(),
      symbol: Type.String(),
      address: Type.String(),
      decimals: Type.Number(),
      logoUri: Type.Union([Type.String(), Type.Null()]),
      eip2612: Type.Boolean(),
    }),
  ),
})

/** `GET /v1/convert/tokens`: the tokens that can be swapped on a chain. */
export function createTokensEndpoint({ pools, bus, clock, tokenIcons, ...others }: TokensDependencies): Endpoint {
  const cache = createCache<readonly string[]>({
    clock,
    ttlMs: ttl,
    maxEntries: limit,
    shared: { bus, name: 'permitTokens' },
  })
  return defineEndpoint({
    method: 'GET',
    path: '/v1/convert/tokens',
    group: 'Convert',
    summary: 'The tokens that can be swapped on a chain: its native currency and the tokens that the operator lists.',
    query: Type.Object({
      ...commonQuery,
      chainId: Type.String({ maxLength: 41 }),
      address: Type.Optional(accountIdSchema),
    }),
    response: responseSchema,
    example: { query: { chainId: exampleIds.chain } },
    cache: 'public, max-age=300',
    async handle({ query: { chainId, address }, log }) {
      const market = getSwapMarket(others, chainId)
      const { chain } = market
      const wanted = address === undefined ? undefined : parseEvmAccountId('address', address, chainId).address
      const listed = listSwappableTokens(market)
      const load = (): Promise<readonly string[]> => findPermitTokens(createChainRpc(pools.get(chain)), listed)
      const permitTokens = await wrapUnavailable(log, chain, cache.get(chainId, load))
      const selected = listed.filter((token) => wanted === undefined || token.address.toLowerCase() === wanted)
      const withIcon = (token: Token): Token => ({
        ...token,
        iconUrl: tokenIcons?.urlOf({ ...token, chainId }) ?? token.iconUrl,
      })
      return {
        exactOutput: market.source.quotesOutput,
        tokens: selected.map((token) => toTokenResponse(withIcon(token), chainId, permitTokens)),
      }
    },
  })
}

/** Finds the tokens that accept signed approvals (EIP-2612). */
async function findPermitTokens(rpc: ChainRpc, tokens: readonly Token[]): Promise<readonly string[]> {
  const found: string[] = []
  for (let start = 0; start < tokens.length; start += tokensPerRequest) {
    const batch = tokens.slice(start, start + tokensPerRequest)
    const results = await rpc.tryBatch(
      batch.flatMap(({ address: to }) => permitCalls.map((data) => ['eth_call', [{ to, data }, 'latest']] as const)),
    )
    const succeeded = (index: number): boolean => parseAbiWord(results[index]) !== undefined
    const permitting = batch.filter((_, index) => succeeded(2 * index) && succeeded(2 * index + 1))
    found.push(...permitting.map(({ address }) => address))
  }
  return found
}

function toTokenResponse(
  { name, symbol, decimals, iconUrl, address }: Token,
  chainId: string,
  permitTokens: readonly string[],
) {
  return {
    name,
    symbol,
    address: `${chainId}:${address}`,
    decimals,
    logoUri: iconUrl === undefined || iconUrl === '' ? null : iconUrl,
    eip2612: permitTokens.includes(address),
  }
}

/** Lists the native currency, its wrapped token, and the tokens of the operator's list. */
function listSwappableTokens({ chain, source: { wrappedNative } }: SwapMarket): readonly Token[] {
  const { nativeCurrency, tokens: own } = chain
  const isListed = own.some((token) => token.address.toLowerCase() === wrappedNative)
  const { name, symbol, decimals } = nativeCurrency
  const wrapped = { name: `Wrapped ${name}`, symbol: `W${symbol}`, decimals }
  return [
    { ...nativeCurrency, address: nativeAddress },
    ...(wrappedNative === undefined || isListed ? [] : [{ ...wrapped, address: wrappedNative }]),
    ...own,
  ]
}
