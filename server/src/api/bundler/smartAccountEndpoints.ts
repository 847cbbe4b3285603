import { Type } from '@sinclair/typebox'
import type { Chain } from '../../kit/chain/chains.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { commonQuery } from '../http/commonQuery.ts'
import { getConfiguredChain } from '../rpc/rpcEndpoints.ts'
import type { PaymasterBudget } from './paymasterBudget.ts'
import { forwardSmartAccountRequest, type Upstream } from './forwardSmartAccountRequest.ts'

const bodyBytes = 256 * 1024
const about = {
  bundler: 'JSON-RPC of a bundler (ERC-4337) for the smart accounts of a chain. Single requests.',
  paymaster: 'JSON-RPC of a paymaster (ERC-7677), where the chain has one. Single requests.',
} as const satisfies Record<Upstream, string>
const examples = {
  bundler: { id: 1, jsonrpc: '2.0', method: 'eth_chainId', params: [] },
  paymaster: { id: 1, jsonrpc: '2.0', method: 'pm_getPaymasterStubData', params: [] },
} as const satisfies Record<Upstream, object>

/**
 * `POST /v1/bundler` and `POST /v1/paymaster`: requests of smart accounts, forwarded to the services that the chain
 * names.
 */
export function createSmartAccountEndpoints({
  chains,
  budget,
}: {
  chains: readonly Chain[]
  budget: PaymasterBudget
}): readonly Endpoint[] {
  return (['bundler', 'paymaster'] as const).map((upstream) =>
    defineEndpoint({
      method: 'POST',
      isWrite: true,
      path: `/v1/${upstream}`,
      group: 'Smart accounts',
      summary: about[upstream],
      query: Type.Object({ ...commonQuery, chainId: Type.String({ maxLength: 41 }) }),
      body: Type.Unknown(),
      maxBodyBytes: bodyBytes,
      response: Type.Unknown(),
      // The chain of the example has no smart accounts.
      example: { query: { chainId: 'eip155:31337' }, body: examples[upstream], status: 400 },
      handle: ({ query, body }) =>
        forwardSmartAccountRequest(
          { chain: getConfiguredChain(chains, query.chainId), upstream, project: query.projectId ?? '', budget },
          body,
        ),
    }),
  )
}
