import { Type } from '@sinclair/typebox'
import { createChainRpc } from '../../kit/chainRpc.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import type { Pools } from '../../kit/pools.ts'
import { Problem } from '../../kit/problem.ts'
import { commonQuery } from '../questions.ts'
import { baseUnits, caip10, orUnavailable, readId, readPair, type ConvertParts } from './asked.ts'
import { exampleIds } from './exampleIds.ts'
import { tryOut } from './tryOut.ts'

const numeric = Type.Union([Type.Number(), Type.String({ maxLength: 20 })])
/** Millionths in a percent, and what may be lost at most. */
const percent = 10_000n
const most = 50n * percent

/** `POST /v1/convert/build-transaction`: the swap as it is signed. */
export function buildTransaction(parts: ConvertParts & { pools: Pools }): Endpoint {
  return endpoint({
    method: 'POST',
    path: '/v1/convert/build-transaction',
    group: 'Convert',
    summary: 'Builds the transaction that swaps, and tries it on the chain unless it is told not to.',
    query: Type.Object(commonQuery),
    body: Type.Object({
      projectId: Type.Optional(Type.String({ maxLength: 64 })),
      amount: baseUnits,
      from: caip10,
      to: caip10,
      userAddress: caip10,
      eip155: Type.Optional(
        Type.Object({ slippage: Type.Optional(numeric), permit: Type.Optional(Type.String({ maxLength: 4_096 })) }),
      ),
      disableEstimate: Type.Optional(Type.Boolean()),
      quoteId: Type.Optional(Type.Union([Type.String({ maxLength: 1_024 }), Type.Null()])),
    }),
    answer: Type.Object({
      tx: Type.Object({
        from: Type.String(),
        to: Type.String(),
        data: Type.String(),
        amount: Type.String(),
        eip155: Type.Object({ gas: Type.String(), gasPrice: Type.String() }),
        minimum: Type.String(),
      }),
    }),
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
      const { chain, source, ...question } = readPair(parts, body)
      const user = readId('userAddress', body.userAddress, chain.caipNetworkId).address
      const slippage = readSlippage(body.eip155?.slippage)
      if (body.eip155?.permit !== undefined) {
        throw new Problem(400, 'permit', 'Signed approvals are not taken here; send an approval.')
      }
      const order = { ...question, user, slippage, quoteId: body.quoteId ?? undefined }
      const swap = await orUnavailable(log, chain, source.build(order))
      const rpc = createChainRpc(parts.pools.of(chain))
      const tried = await orUnavailable(log, chain, tryOut(rpc, { ...swap, from: user }, body.disableEstimate === true))
      return {
        tx: {
          from: body.userAddress,
          to: `${chain.caipNetworkId}:${swap.to}`,
          data: swap.data,
          amount: String(swap.value),
          eip155: { gas: String(tried.gas), gasPrice: String(tried.gasPrice) },
          minimum: String(swap.minimum),
        },
      }
    },
  })
}

/** Percent as a number or a text becomes millionths. */
function readSlippage(given: number | string | undefined): bigint {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:\.(\d{1,4})0*)?$/.exec(String(given ?? '')) ?? []
  if (whole === undefined) throw new Problem(400, 'slippage', 'The slippage is missing, or not a number of percent.')
  const slippage = BigInt(whole) * percent + BigInt(fraction.padEnd(4, '0'))
  if (slippage > most) throw new Problem(400, 'slippage', 'A slippage of more than 50 percent is not taken.')
  return slippage
}
