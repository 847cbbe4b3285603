import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chains.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { commonQuery } from '../questions.ts'
import { chainOf } from '../rpc/route.ts'
import { askSmart, type Upstream } from './proxy.ts'

const bodyBytes = 256 * 1024
const about = {
  bundler: 'JSON-RPC of a bundler (ERC-4337) for the smart accounts of a chain. Single requests.',
  paymaster: 'JSON-RPC of a paymaster (ERC-7677), where the chain has one. Single requests.',
} as const satisfies Record<Upstream, string>
const examples = {
  bundler: { id: 1, jsonrpc: '2.0', method: 'eth_chainId', params: [] },
  paymaster: { id: 1, jsonrpc: '2.0', method: 'pm_getPaymasterStubData', params: [] },
} as const satisfies Record<Upstream, object>

/** `POST /v1/bundler` and `POST /v1/paymaster`: what smart accounts ask, passed on to those whom the chain names. */
export function bundler({ chains }: { chains: readonly Chain[] }): readonly Endpoint[] {
  return (['bundler', 'paymaster'] as const).map((upstream) =>
    endpoint({
      method: 'POST',
      path: `/v1/${upstream}`,
      group: 'Smart accounts',
      summary: about[upstream],
      query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }) }),
      body: Type.Unknown(),
      bodyBytes,
      answer: Type.Unknown(),
      // Not every chain has smart accounts.
      example: { query: { chainId: 'eip155:31337' }, body: examples[upstream], status: 400 },
      handle: ({ query, body }) => askSmart(chainOf(chains, query.chainId), upstream, body),
    }),
  )
}
