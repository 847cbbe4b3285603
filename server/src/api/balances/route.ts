import { isAccountId, parseChainId, type BalanceAnswer } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import { currencies } from '../currencies.ts'
import { addressParam, chainIdQuery, commonQuery, readAddress } from '../questions.ts'
import type { BalanceSource } from './balanceSource.ts'

type BalancesParts = { chains: readonly Chain[]; balanceSource: BalanceSource }

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
export function balances({ chains, balanceSource }: BalancesParts): Endpoint {
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
      const { address } = readAddress(params.address, undefined)
      checkForced(forceUpdate)
      return { balances: await readAll(log, balanceSource, chosen(chains, chainId), address) }
    },
  })
}

function chosen(chains: readonly Chain[], chainId: string | undefined): readonly Chain[] {
  const readable = chains.filter(({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'eip155')
  if (chainId === undefined) return readable
  const chain = readable.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  return [chain]
}

/** Nothing is cached here, so that every answer is what the client forces; it only has to ask for what can be read. */
function checkForced(forceUpdate: string | undefined): void {
  const assets = forceUpdate === undefined || forceUpdate === '' ? [] : forceUpdate.split(',')
  if (assets.every((asset) => isAccountId(asset) && asset.startsWith('eip155:'))) return
  throw new Problem(400, '', 'forceUpdate is a list of CAIP-10 ids of eip155.')
}

/** A chain that is away takes only its own balances with it, unless it is the only one. */
async function readAll(
  log: FastifyBaseLogger,
  source: BalanceSource,
  chains: readonly Chain[],
  address: string,
): Promise<BalanceAnswer['balances']> {
  const answers = await Promise.allSettled(chains.map((chain) => source.balances(chain, address)))
  const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const silent = chains.filter((_, index) => answers[index]?.status === 'rejected')
  if (silent.length > 0) log.warn({ chains: silent.map(({ caipNetworkId }) => caipNetworkId) }, 'no balances')
  if (told.length === 0 && chains.length > 0) throw new Problem(503, 'chainId', 'The chain does not answer.')
  return told.flat()
}
