import { Type } from '@sinclair/typebox'
import type { Bus } from '../../kit/bus.ts'
import { createCache } from '../../kit/cache.ts'
import { createChainRpc } from '../../kit/chainRpc.ts'
import type { Chain, Token } from '../../kit/chains.ts'
import type { Clock } from '../../kit/clock.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import type { Pools } from '../../kit/pools.ts'
import { commonQuery } from '../questions.ts'
import { readWord } from '../tokens/abi.ts'
import { caip10, marketOf, orUnavailable, readId, type ConvertParts, type Market } from './asked.ts'
import { exampleIds } from './exampleIds.ts'
import { nativeAddress } from './routeSource.ts'

/** `DOMAIN_SEPARATOR()` and `nonces(address)` of nobody: a token that answers both takes signed approvals. */
const permitCalls = ['0x3644e515', `0x7ecebe00${'0'.repeat(64)}`] as const
/** What a contract can do stays as it is. */
const ttl = 86_400_000
const limit = 1_000
const perQuestion = 50

export type TokensParts = ConvertParts & { pools: Pools; bus: Bus; clock: Clock }

/** `GET /v1/convert/tokens`: what can be swapped on a chain. */
export function tokens({ pools, bus, clock, ...parts }: TokensParts): Endpoint {
  const cache = createCache<readonly string[]>({ clock, ttl, limit, shared: { bus, name: 'permitTokens' } })

  /** The tokens that take signed approvals. */
  async function permitting(chain: Chain, listed: readonly Token[]): Promise<readonly string[]> {
    const rpc = createChainRpc(pools.of(chain))
    const found: string[] = []
    for (let at = 0; at < listed.length; at += perQuestion) {
      const asked = listed.slice(at, at + perQuestion)
      const answers = await rpc.tryAll(
        asked.flatMap(({ address: to }) => permitCalls.map((data) => ['eth_call', [{ to, data }, 'latest']] as const)),
      )
      const answered = (index: number): boolean => readWord(answers[index]) !== undefined
      found.push(
        ...asked.filter((_, index) => answered(2 * index) && answered(2 * index + 1)).map(({ address }) => address),
      )
    }
    return found
  }

  return endpoint({
    method: 'GET',
    path: '/v1/convert/tokens',
    group: 'Convert',
    summary: 'What can be swapped on a chain: its native currency and the tokens that the operator lists.',
    query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }), address: Type.Optional(caip10) }),
    answer: Type.Object({
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
    }),
    example: { query: { chainId: exampleIds.chain } },
    cache: 'public, max-age=300',
    async handle({ query: { chainId, address }, log }) {
      const market = marketOf(parts, chainId)
      const { chain } = market
      const wanted = address === undefined ? undefined : readId('address', address, chainId).address
      const listed = listedOn(market)
      const permitted = await orUnavailable(
        log,
        chain,
        cache.get(chainId, () => permitting(chain, listed)),
      )
      const told = listed
        .filter((token) => wanted === undefined || token.address.toLowerCase() === wanted)
        .map(({ name, symbol, decimals, iconUrl, ...token }) => ({
          name,
          symbol,
          address: `${chainId}:${token.address}`,
          decimals,
          logoUri: iconUrl ?? null,
          eip2612: permitted.includes(token.address),
        }))
      return { tokens: told }
    },
  })
}

/** The native currency first, then what it is swapped as, then the operator's own list. */
function listedOn({ chain, source: { wrappedNative } }: Market): readonly Token[] {
  const { nativeCurrency, tokens: own } = chain
  const isOwn = own.some((token) => token.address.toLowerCase() === wrappedNative)
  const { name, symbol, decimals } = nativeCurrency
  const wrapped = { name: `Wrapped ${name}`, symbol: `W${symbol}`, decimals }
  return [
    { ...nativeCurrency, address: nativeAddress },
    ...(wrappedNative === undefined || isOwn ? [] : [{ ...wrapped, address: wrappedNative }]),
    ...own,
  ]
}
