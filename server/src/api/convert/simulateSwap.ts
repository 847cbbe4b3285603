import type { ChainRpc } from '../../kit/chain/chainRpc.ts'
import { NoEndpointError } from '../../kit/chain/postJsonRpc.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { BuiltSwap, Hex } from './routeSource.ts'

/** Percentage of the simulated gas that a swap gets, because the next block differs. */
const inHand = 110n

/** Revert reasons of exchanges and tokens, with the field and message of the problem. */
const refusals: readonly (readonly [pattern: RegExp, field: string, sentence: string])[] = [
  [
    /too little received|insufficient.output.amount|insufficient weth9|insufficient token/i,
    'slippage',
    'Too little received: the price has moved beyond the slippage, or the token charges a transfer fee.',
  ],
  [
    /too much requested|excessive.input.amount/i,
    'slippage',
    'Too much requested: the price has moved beyond the slippage.',
  ],
  [/insufficient funds|out ?of ?funds/i, 'amount', 'The balance does not cover this swap and its gas.'],
  [
    /\bSTF\b|transfer_?from|allowance|exceeds balance/i,
    'from',
    'The exchange can’t take the token: the balance or the allowance is too low.',
  ],
  [/too old|expired/i, 'quoteId', 'This quote has expired. Request a new one.'],
  [/insufficient.liquidity/i, 'amount', 'Insufficient liquidity for this route.'],
]

/**
 * Simulates a swap on the chain.
 *
 * @param skip only gets the gas price and uses the estimated gas
 * @throws Problem 400 with the reason of a revert
 */
export async function simulateSwap(
  rpc: ChainRpc,
  { from, to, data, value, gas, spare }: BuiltSwap & { from: Hex },
  skip: boolean,
): Promise<{ gas: bigint; gasPrice: bigint }> {
  const gasPrice = await getGasPrice(rpc)
  if (skip) return { gas, gasPrice }
  try {
    const [taken] = await rpc.batch([['eth_estimateGas', [{ from, to, data, value: `0x${value.toString(16)}` }]]])
    return { gas: (toBigInt(taken) * inHand) / 100n + spare, gasPrice }
  } catch (cause) {
    if (cause instanceof NoEndpointError || !(cause instanceof Error)) throw cause
    // An exact output that needs more native currency than is sent along fails when it takes the wrapped one instead.
    const message = value > 0n && /\bSTF\b/.test(cause.message) ? 'Too much requested' : cause.message
    const [, field, sentence] = refusals.find(([pattern]) => pattern.test(message)) ?? [
      undefined,
      '',
      'The simulation of this swap failed.',
    ]
    throw new Problem(400, field, sentence, { cause })
  }
}

/** Gets the current gas price in wei. */
export async function getGasPrice(rpc: ChainRpc): Promise<bigint> {
  const [price] = await rpc.batch([['eth_gasPrice', []]])
  return toBigInt(price)
}

function toBigInt(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new Error('The chain returned no quantity.')
}
