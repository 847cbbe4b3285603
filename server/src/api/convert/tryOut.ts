import type { ChainRpc } from '../../kit/chainRpc.ts'
import { NoEndpoint } from '../../kit/rpc.ts'
import { Problem } from '../../kit/problem.ts'
import type { BuiltSwap, Hex } from './routeSource.ts'

/** What is added to the gas that a swap takes when it is tried, in percent: the next block is another one. */
const inHand = 110n

/** What exchanges and tokens say when they refuse, and what it means. */
const refusals: readonly (readonly [pattern: RegExp, field: string, sentence: string])[] = [
  [
    /too little received|insufficient.output.amount|insufficient weth9|insufficient token/i,
    'slippage',
    'Too little received: the price has moved beyond the slippage, or the token keeps a part of what is moved.',
  ],
  [/insufficient funds|out ?of ?funds/i, 'amount', 'The balance does not pay for this swap and its gas.'],
  [
    /\bSTF\b|transfer_?from|allowance|exceeds balance/i,
    'from',
    'The exchange cannot take the token: the balance or the allowance is too small.',
  ],
  [/too old|expired/i, 'quoteId', 'This quote is too old; ask for a new one.'],
  [/insufficient.liquidity/i, 'amount', 'There is insufficient liquidity behind this way to swap.'],
]

/**
 * Tries a swap on the chain without sending it.
 *
 * @param skip only tells the gas price, and goes by what the swap probably takes
 * @throws Problem 400 that says why the exchange would refuse
 */
export async function tryOut(
  rpc: ChainRpc,
  { from, to, data, value, gas, spare }: BuiltSwap & { from: Hex },
  skip: boolean,
): Promise<{ gas: bigint; gasPrice: bigint }> {
  const gasPrice = await readGasPrice(rpc)
  if (skip) return { gas, gasPrice }
  try {
    const [taken] = await rpc.ask([['eth_estimateGas', [{ from, to, data, value: `0x${value.toString(16)}` }]]])
    return { gas: (readQuantity(taken) * inHand) / 100n + spare, gasPrice }
  } catch (cause) {
    if (cause instanceof NoEndpoint || !(cause instanceof Error)) throw cause
    const { message } = cause
    const [, field, sentence] = refusals.find(([pattern]) => pattern.test(message)) ?? [
      undefined,
      '',
      'The chain refuses this swap as it stands.',
    ]
    throw new Problem(400, field, sentence, { cause })
  }
}

/** What gas costs now, in wei. */
export async function readGasPrice(rpc: ChainRpc): Promise<bigint> {
  const [price] = await rpc.ask([['eth_gasPrice', []]])
  return readQuantity(price)
}

function readQuantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new Error('The chain answered no quantity.')
}
