import { Type } from '@sinclair/typebox'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import type { BalanceSource } from '../balances/balanceSource.ts'
import { readBalances } from '../balances/readBalances.ts'
import type { PriceSource } from '../prices/priceSource.ts'
import { commonQuery } from '../questions.ts'
import { assetsOf, assetsRequest, chainsOf } from './getAssets.ts'

export type WalletRpcParts = { chains: readonly Chain[]; sources: readonly BalanceSource[]; prices: PriceSource }

type Id = string | number | null
type Request = { id: Id; method: string; params: unknown }
type Failure = { code: number; message: string }

const failures = {
  invalid: { code: -32600, message: 'Invalid Request' },
  batch: { code: -32600, message: 'Invalid Request: batches are not taken here' },
  method: { code: -32601, message: 'Method not found' },
} as const satisfies Record<string, Failure>

/** `POST /v1/wallet`, also `/v1/json-rpc`: what wallets are asked, as far as a server can answer it. */
export function walletRpc(parts: WalletRpcParts): readonly Endpoint[] {
  return (['/v1/wallet', '/v1/json-rpc'] as const).map((path) =>
    endpoint({
      method: 'POST',
      path,
      group: 'Wallet calls',
      summary: 'JSON-RPC that a server can answer in place of a wallet: wallet_getAssets. Single requests.',
      query: Type.Object({ ...commonQuery, source: Type.Optional(Type.String({ maxLength: 64 })) }),
      body: Type.Unknown(),
      answer: Type.Unknown(),
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
        const request = readRequest(body)
        if (request === undefined) return refuse(null, failures.invalid)
        const { id, method, params } = request
        if (method !== 'wallet_getAssets') return refuse(id, failures.method)
        const asked = assetsRequest.safeParse(Array.isArray(params) && params.length === 1 ? params[0] : params)
        if (!asked.success) return refuse(id, invalidParams(asked.error.issues[0]?.path))
        return { id, jsonrpc: '2.0', result: await getAssets(parts, asked.data, log) }
      },
    }),
  )
}

/** @throws Problem 503 `chainId` when no chain answers */
async function getAssets(
  { chains, sources, prices }: WalletRpcParts,
  asked: Parameters<typeof assetsOf>[0],
  log: FastifyBaseLogger,
): Promise<ReturnType<typeof assetsOf>> {
  const wanted = chainsOf(asked, chains)
  return assetsOf(asked, await readBalances({ log, sources, prices, currency: 'usd' }, wanted, asked.account))
}

function invalidParams(path: readonly PropertyKey[] = []): Failure {
  const where = path.map(String).join('.')
  return { code: -32602, message: where === '' ? 'Invalid params' : `Invalid params: ${where}` }
}

function readRequest(body: unknown): Request | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id, jsonrpc, method, params } = body as Readonly<Record<string, unknown>>
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId && jsonrpc === '2.0' && typeof method === 'string' ? { id, method, params } : undefined
}
