import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chain/chainRpc.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { EndpointPools } from '../../kit/chain/endpointPools.ts'
import { Problem } from '../../kit/http/problem.ts'
import { commonQuery } from '../http/commonQuery.ts'
import {
  baseUnitsSchema,
  accountIdSchema,
  exactSchema,
  wrapUnavailable,
  parseEvmAccountId,
  parseSwapRequest,
  type ConvertDependencies,
} from './swapRequest.ts'
import { exampleIds } from './exampleIds.ts'
import { simulateSwap } from './simulateSwap.ts'

const numeric = Type.Union([Type.Number(), Type.String({ maxLength: 20 })])
/** Millionths per percent. */
const percent = 10_000n
const maxSlippage = 50n * percent

const bodySchema = Type.Object({
  projectId: Type.Optional(Type.String({ maxLength: 64 })),
  amount: baseUnitsSchema,
  from: accountIdSchema,
  to: accountIdSchema,
  exact: Type.Optional(exactSchema),
  userAddress: accountIdSchema,
  eip155: Type.Optional(
    Type.Object({ slippage: Type.Optional(numeric), permit: Type.Optional(Type.String({ maxLength: 4_096 })) }),
  ),
  disableEstimate: Type.Optional(Type.Boolean()),
  quoteId: Type.Optional(Type.Union([Type.String({ maxLength: 1_024 }), Type.Null()])),
})

const responseSchema = Type.Object({
  tx: Type.Object({
    from: Type.String(),
    to: Type.String(),
    data: Type.String(),
    amount: Type.String(),
    eip155: Type.Object({ gas: Type.String(), gasPrice: Type.String() }),
    minimum: Type.String(),
    maximum: Type.String({ description: 'The most that is taken from the user, in base units of the sold token.' }),
  }),
})

/** `POST /v1/convert/build-transaction`: the transaction of a swap, ready to sign. */
export function createBuildTransactionEndpoint(dependencies: ConvertDependencies & { pools: EndpointPools }): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/convert/build-transaction',
    group: 'Convert',
    summary: 'Builds the transaction of a swap, and simulates it unless disableEstimate is set.',
    query: Type.Object(commonQuery),
    body: bodySchema,
    response: responseSchema,
    example: {
      body: {
        amount: '1000000000000000000',
        from: exampleIds.native,
        to: exampleIds.token,
        userAddress: exampleIds.user,
        eip155: { slippage: 1 },
      },
    },
    async handle({ body, log }) {
      const { chain, source, ...request } = parseSwapRequest(dependencies, body)
      const user = parseEvmAccountId('userAddress', body.userAddress, chain.caipNetworkId).address
      const slippage = parseSlippage(body.eip155?.slippage)
      if (body.eip155?.permit !== undefined) {
        throw new Problem(400, 'permit', 'Permits are not supported. Send an approval transaction.')
      }
      const order = { ...request, user, slippage, quoteId: body.quoteId ?? undefined }
      const swap = await wrapUnavailable(log, chain, source.build(order))
      const rpc = createChainRpc(dependencies.pools.get(chain))
      const estimate = await wrapUnavailable(
        log,
        chain,
        simulateSwap(rpc, { ...swap, from: user }, body.disableEstimate === true),
      )
      return {
        tx: {
          from: body.userAddress,
          to: `${chain.caipNetworkId}:${swap.to}`,
          data: swap.data,
          amount: String(swap.value),
          eip155: { gas: String(estimate.gas), gasPrice: String(estimate.gasPrice) },
          minimum: String(swap.minimum),
          maximum: String(swap.maximum),
        },
      }
    },
  })
}

/** Parses a percentage, given as a number or text, to millionths. */
function parseSlippage(given: number | string | undefined): bigint {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:\.(\d{1,4})0*)?$/.exec(String(given ?? '')) ?? []
  if (whole === undefined) throw new Problem(400, 'slippage', 'The slippage is missing or is not a percentage.')
  const slippage = BigInt(whole) * percent + BigInt(fraction.padEnd(4, '0'))
  if (slippage > maxSlippage) throw new Problem(400, 'slippage', 'The slippage must not exceed 50 percent.')
  return slippage
}
