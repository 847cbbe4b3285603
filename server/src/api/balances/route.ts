import { isAccountId, parseChainId, type BalanceAnswer } from '@latchkey/protocol'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { Problem } from '../../kit/problem.ts'
import { currencies } from '../currencies.ts'
import type { Guard } from '../guard.ts'
import type { BalanceSource } from './balanceSource.ts'

type BalancesParts = { chains: readonly Chain[]; balanceSource: BalanceSource; guard: Guard }

type BalanceQuery = { currency: string; chainId?: string; forceUpdate?: string }

const schema = {
  params: { type: 'object', properties: { address: { type: 'string' } }, required: ['address'] },
  querystring: {
    type: 'object',
    properties: {
      currency: { type: 'string' },
      chainId: { type: 'string', maxLength: 41 },
      forceUpdate: { type: 'string', maxLength: 4096 },
    },
    required: ['currency'],
  },
} as const

/** `GET /v1/account/:address/balance`: what an address holds, on one chain or on all of eip155. */
export function balances({ chains, balanceSource, guard }: BalancesParts): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { address: string }; Querystring: BalanceQuery }>(
      '/v1/account/:address/balance',
      { schema },
      async (request): Promise<BalanceAnswer> => {
        guard(request)
        const { address } = request.params
        const { currency, chainId, forceUpdate } = request.query
        if (!currencies.includes(currency)) throw new Problem(400, 'currency', 'This currency is not known here.')
        if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new Problem(400, 'address', 'This is not an address of eip155.')
        checkForced(forceUpdate)
        return { balances: await readAll(request, balanceSource, chosen(chains, chainId), address) }
      },
    )
  }
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
  request: FastifyRequest,
  source: BalanceSource,
  chains: readonly Chain[],
  address: string,
): Promise<BalanceAnswer['balances']> {
  const answers = await Promise.allSettled(chains.map((chain) => source.balances(chain, address)))
  const told = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const silent = chains.filter((_, index) => answers[index]?.status === 'rejected')
  if (silent.length > 0) request.log.warn({ chains: silent.map(({ caipNetworkId }) => caipNetworkId) }, 'no balances')
  if (told.length === 0 && chains.length > 0) throw new Problem(503, 'chainId', 'The chain does not answer.')
  return told.flat()
}
