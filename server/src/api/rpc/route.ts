import { classifyMethod, parseChainId } from '@latchkey/protocol'
import type { FastifyPluginAsync } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { Problem } from '../../kit/problem.ts'
import { askEndpoints, NoEndpoint } from '../../kit/rpc.ts'
import type { Guard } from '../guard.ts'

type RpcParts = { chains: readonly Chain[]; guard: Guard }

type RpcRequest = { id: number | string | null; jsonrpc: '2.0'; method: string; params?: unknown }

const schema = {
  querystring: {
    type: 'object',
    properties: { chainId: { type: 'string', maxLength: 41 } },
    required: ['chainId'],
  },
} as const

const batchLimit = 20
const endpointLimit = 5
/** Network facts that wallets' libraries ask for besides what a visitor's wallet may do. */
const extra: readonly string[] = ['net_version', 'net_listening', 'web3_clientVersion']
/** Done twice, it could do harm; so one endpoint is asked, once. */
const onceOnly: readonly string[] = ['eth_sendRawTransaction']

/** `POST /v1?chainId=…`: JSON-RPC for configured chains, passed on to their endpoints. */
export function rpc({ chains, guard }: RpcParts): FastifyPluginAsync {
  return async (app) => {
    for (const path of ['/v1', '/v1/']) {
      app.post<{ Querystring: { chainId: string } }>(path, { schema }, async (request) => {
        const body = request.body
        const batch = Array.isArray(body) ? body : [body]
        if (batch.length === 0 || batch.length > batchLimit) {
          throw new Problem(413, '', `A batch has 1 to ${batchLimit} requests.`)
        }
        guard(request, batch.length)
        const chain = chains.find(({ caipNetworkId }) => caipNetworkId === request.query.chainId)
        if (chain === undefined) throw new Problem(400, 'chainId', 'This chain is not supported here.')
        const answers = await Promise.all(batch.map((item) => answer(chain, item)))
        return Array.isArray(body) ? answers : answers[0]
      })
    }
  }
}

async function answer(chain: Chain, item: unknown): Promise<unknown> {
  if (!isRequest(item)) return failure(null, -32600, 'Invalid Request')
  const { id, method } = item
  if (!isAllowed(method)) return failure(id, -32601, `The method ${method.slice(0, 64)} is not available here.`)
  const own = localAnswer(chain, method)
  if (own !== undefined) return { id, jsonrpc: '2.0', result: own }
  const urls = chain.rpcUrls.slice(0, onceOnly.includes(method) ? 1 : endpointLimit)
  try {
    return await askEndpoints(urls, item)
  } catch (error) {
    if (error instanceof NoEndpoint) throw new Problem(503, 'chainId', 'The chain does not answer.', { cause: error })
    throw error
  }
}

function localAnswer({ caipNetworkId }: Chain, method: string): unknown {
  const { reference } = parseChainId(caipNetworkId)
  if (method === 'eth_chainId') return `0x${Number(reference).toString(16)}`
  if (method === 'net_version') return reference
  return method === 'net_listening' ? true : undefined
}

/** Accounts are a wallet's business: a node that has any must not lend them out. */
function isAllowed(method: string): boolean {
  if (method === 'eth_accounts' || method.startsWith('wallet_')) return false
  return classifyMethod(method) === 'safe' || extra.includes(method)
}

function isRequest(value: unknown): value is RpcRequest {
  if (typeof value !== 'object' || value === null) return false
  const { id, jsonrpc, method } = value as Record<string, unknown>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId && jsonrpc === '2.0' && typeof method === 'string'
}

function failure(id: RpcRequest['id'], code: number, message: string): object {
  return { id, jsonrpc: '2.0', error: { code, message } }
}
