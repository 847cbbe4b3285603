import { isAccountId, parseChainId, type BalanceAnswer } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { currencies } from '../currencies.ts'
import { addressParam, chainIdQuery, commonQuery, readAddress } from '../questions.ts'
import type { BalanceSource } from './balanceSource.ts'

type BalancesParts = { chains: readonly Chain[]; sources: readonly BalanceSource[] }

const answer = Type.Unsafe<BalanceAnswer>(
  Type.Object({
    balances: Type.Array(
      Type.Object({
        name: Type.String(),
        symbol: Type.String(),
        chainId: Type.String(),
        address: Type.Optional(Type.String()),
        value: Type.Optional(Type.Number()),
        price: Type.Number(),
        quantity: Type.Object({ decimals: Type.String(), numeric: Type.String() }),
        iconUrl: Type.String(),
      }),
    ),
  }),
)

/** `GET /v1/account/:address/balance`: what an address holds, on one chain or on all of eip155. */
export function balances({ chains, sources }: BalancesParts): Endpoint {
  return endpoint({
    method: 'GET',
    path: '/v1/account/:address/balance',
    group: 'Accounts',
    summary: 'What an address holds, on one chain or on all of its family.',
    params: addressParam,
    query: Type.Object({
      ...commonQuery,
      ...chainIdQuery,
      currency: Type.String({ maxLength: 8 }),
      forceUpdate: Type.Optional(Type.String({ maxLength: 4_096 })),
    }),
    answer,
    example: { params: { address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }, query: { currency: 'usd' } },
    async handle({ params, query, log }) {
      const { currency, chainId, forceUpdate } = query
      if (!currencies.includes(currency)) throw new Problem(400, 'currency', 'This currency is not known here.')
      const { namespace, address } = readAddress(params.address, chainId)
      const forced = readForced(forceUpdate)
      const wanted = chosen(chains, sources, namespace, chainId)
      return { balances: await readAll({ log, sources, forced }, wanted, address) }
    },
  })
}

/** @throws Problem 400 `chainId` when nobody can tell the balances of the chain. */
function chosen(
  chains: readonly Chain[],
  sources: readonly BalanceSource[],
  namespace: string,
  chainId: string | undefined,
): readonly Chain[] {
  const readable = chains.filter(
    (chain) =>
      parseChainId(chain.caipNetworkId).namespace === namespace && sources.some((source) => source.covers(chain)),
  )
  if (chainId === undefined) return readable
  const chain = readable.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  return [chain]
}

/** The assets whose balance has to be read now, by their chain. */
function readForced(forceUpdate: string | undefined): ReadonlyMap<string, readonly string[]> {
  const assets = forceUpdate === undefined || forceUpdate === '' ? [] : forceUpdate.split(',')
  if (!assets.every((asset) => isAccountId(asset) && asset.startsWith('eip155:'))) {
    throw new Problem(400, 'forceUpdate', 'forceUpdate is a list of CAIP-10 ids of eip155.')
  }
  const forced = new Map<string, string[]>()
  for (const asset of assets) {
    const end = asset.lastIndexOf(':')
    const [chain, token] = [asset.slice(0, end), asset.slice(end + 1).toLowerCase()]
    const known = forced.get(chain) ?? []
    // The native currency is read in any case.
    forced.set(chain, token === nativeAddress || !/^0x[0-9a-f]{40}$/.test(token) ? known : [...known, token])
  }
  return forced
}

const nativeAddress = `0x${'e'.repeat(40)}`

type Reading = {
  log: FastifyBaseLogger
  sources: readonly BalanceSource[]
  forced: ReadonlyMap<string, readonly string[]>
}

/** A chain that is away takes only its own balances with it, unless it is the only one. */
async function readAll(
  { log, sources, forced }: Reading,
  chains: readonly Chain[],
  address: string,
): Promise<BalanceAnswer['balances']> {
  const answers = await Promise.allSettled(
    chains.map(async (chain) => {
      const also = forced.get(chain.caipNetworkId)
      const source = sources.find((each) => each.covers(chain))
      return source?.balances(chain, address, { fresh: also !== undefined, also }) ?? []
    }),
  )
  const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const silent = chains.filter((_, index) => answers[index]?.status === 'rejected')
  if (silent.length > 0) log.warn({ chains: silent.map(({ caipNetworkId }) => caipNetworkId) }, 'no balances')
  if (told.length === 0 && chains.length > 0) throw new Problem(503, 'chainId', 'The chain does not answer.')
  return told.flat()
}
