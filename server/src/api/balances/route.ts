import { parseChainId, type BalanceAnswer } from '@latchkey/protocol'
import type { FastifyPluginAsync } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { Problem } from '../../kit/problem.ts'
import type { Guard } from '../guard.ts'
import type { BalanceSource } from './balanceSource.ts'

type BalancesParts = { chains: readonly Chain[]; balanceSource: BalanceSource; guard: Guard }

type BalanceQuery = { currency: string; chainId?: string }

const schema = {
  params: { type: 'object', properties: { address: { type: 'string' } }, required: ['address'] },
  querystring: {
    type: 'object',
    properties: { currency: { type: 'string' }, chainId: { type: 'string', maxLength: 41 } },
    required: ['currency'],
  },
} as const

const currencies: readonly string[] = ['usd', 'eur', 'gbp', 'aud', 'cad', 'inr', 'jpy', 'btc', 'eth']

/** `GET /v1/account/:address/balance`: what an address holds, on one chain or on all of eip155. */
export function balances({ chains, balanceSource, guard }: BalancesParts): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { address: string }; Querystring: BalanceQuery }>(
      '/v1/account/:address/balance',
      { schema },
      async (request): Promise<BalanceAnswer> => {
        guard(request)
        const { address } = request.params
        const { currency, chainId } = request.query
        if (!currencies.includes(currency)) throw new Problem(400, 'currency', 'This currency is not known here.')
        if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new Problem(400, 'address', 'This is not an address of eip155.')
        const read = (chain: Chain) => balanceSource.balances(chain, address)
        return { balances: (await Promise.all(chosen(chains, chainId).map(read)).catch(unavailable)).flat() }
      },
    )
  }
}

function chosen(chains: readonly Chain[], chainId: string | undefined): readonly Chain[] {
  if (chainId === undefined) return chains.filter((chain) => parseChainId(chain.caipNetworkId).namespace === 'eip155')
  const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
  return [chain]
}

function unavailable(cause: unknown): never {
  throw new Problem(503, 'chainId', 'The chain does not answer.', { cause })
}
