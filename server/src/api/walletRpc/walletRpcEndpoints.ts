import { Type } from '@sinclair/typebox'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chain/chains.ts'
import { findSchemaProblems } from '../../kit/config/parseWithSchema.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { getBalances } from '../balances/getBalances.ts'
import type { PriceSource } from '../prices/priceSource.ts'
import { commonQuery } from '../http/commonQuery.ts'
import { assetsRequestSchema, selectAssetChains, toWalletAssets, type AssetsRequest } from './walletAssets.ts'

export type WalletRpcDependencies = { chains: readonly Chain[]; sources: readonly BalanceSource[]; prices: PriceSource }

type Id = string | number | null
type Request = { id: Id; method: string; params: unknown }
type Failure = { code: number; message: string }

const failures = {
  invalid: { code: -32600, message: 'Invalid Request' },
  batch: { code: -32600, message: 'Invalid Request: batches are not taken here' },
  method: { code: -32601, message: 'Method not found' },
} as const satisfies Record<string, Failure>

/** `POST /v1/wallet`, also `/v1/json-rpc`: wallet methods that a server can handle. */
export function createWalletRpcEndpoints(dependencies: WalletRpcDependencies): readonly Endpoint[] {
  return (['/v1/wallet', '/v1/json-rpc'] as const).map((path) =>
    defineEndpoint({
      method: 'POST',
      path,
      group: 'Wallet calls',
      summary: 'Wallet methods that a server can handle by JSON-RPC: wallet_getAssets. Single requests only.',
      query: Type.Object({ ...commonQuery, source: Type.Optional(Type.String({ maxLength: 64 })) }),
      body: Type.Unknown(),
      response: Type.Unknown(),
      example: {
        body: {
          id: 1,
          jsonrpc: '2.0',
          method: 'wallet_getAssets',
          params: [{ account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
        },
      },
      async handle({ body, status, log }) {
        const refuse = (id: Id, error: Failure): object => {
          status(400)
          return { id, jsonrpc: '2.0', error }
        }
        if (Array.isArray(body)) return refuse(null, failures.batch)
        const call = parseRpcRequest(body)
        if (call === undefined) return refuse(null, failures.invalid)
        const { id, method, params } = call
        if (method !== 'wallet_getAssets') return refuse(id, failures.method)
        const request: unknown = Array.isArray(params) && params.length === 1 ? params[0] : params
        const [problem] = findSchemaProblems(assetsRequestSchema, request)
        if (problem !== undefined) return refuse(id, toInvalidParamsFailure(problem.path))
        // The schema was just checked.
        return { id, jsonrpc: '2.0', result: await getAssets(dependencies, request as AssetsRequest, log) }
      },
    }),
  )
}

/** @throws Problem 503 `chainId` if no chain is available */
async function getAssets(
  { chains, sources, prices }: WalletRpcDependencies,
  request: AssetsRequest,
  log: FastifyBaseLogger,
): Promise<ReturnType<typeof toWalletAssets>> {
  const selected = selectAssetChains(request, chains)
  const balances = await getBalances({ log, sources, prices, currency: 'usd' }, selected, request.account)
  return toWalletAssets(request, balances)
}

function toInvalidParamsFailure(path: string): Failure {
  return { code: -32602, message: path === '' ? 'Invalid params' : `Invalid params: ${path}` }
}

function parseRpcRequest(body: unknown): Request | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id, jsonrpc, method, params } = body as Readonly<Record<string, unknown>>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId && jsonrpc === '2.0' && typeof method === 'string' ? { id, method, params } : undefined
}
