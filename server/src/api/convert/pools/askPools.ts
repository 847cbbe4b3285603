import { encodeFunctionData, parseAbi } from 'viem'
import type { ChainRpc, Question } from '../../../kit/chainRpc.ts'
import type { Exchange } from '../../../kit/exchange.ts'
import { Problem } from '../../../kit/problem.ts'
import type { PoolLeg } from './findPools.ts'
import { million, type Swapped } from './leg.ts'

const abi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Single single) returns (uint256 received, uint160 sqrtPriceAfter, uint32 ticks, uint256 gas)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 at)',
  'function slot0() view returns (uint160 sqrtPriceX96)',
])
const reading = {
  reserves: encodeFunctionData({ abi, functionName: 'getReserves' }),
  slot0: encodeFunctionData({ abi, functionName: 'slot0' }),
} as const
/** A swap that reaches the end of all prices was not done whole. */
const ends = { least: 4_295_128_740n, most: 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n }
/** Units of gas: of a swap in a pair, and what the router adds to one in a range. */
const gas = { pair: 80_000n, range: 30_000n } as const
/** Fees of pairs divide evenly: they are hundredths of a percent. */
const hundredth = 100n

/** A leg, and how much goes into it. */
export type LegQuestion = { leg: PoolLeg; amount: bigint }

/**
 * What swaps would give at a block. A pool that cannot do one is left out.
 *
 * @throws Problem 503 when the node does not have the block
 */
export async function askPools(
  { v3 }: Exchange,
  rpc: ChainRpc,
  block: bigint,
  wanted: readonly LegQuestion[],
): Promise<readonly Swapped[]> {
  if (wanted.length === 0) return []
  const at = `0x${block.toString(16)}`
  const call = (to: string, data: string): Question => ['eth_call', [{ to, data }, at]]
  // A single question or two each, in one batch.
  const perLeg = wanted.map(({ leg, amount }): readonly Question[] =>
    leg.kind === 'v2'
      ? [call(leg.pool, reading.reserves)]
      : [call(leg.pool, reading.slot0), call(v3?.quoter ?? '', quoteData(leg, amount))],
  )
  const [there, ...answers] = await rpc.tryAll([['eth_getBlockByNumber', [at, false]], ...perLeg.flat()])
  if (there === undefined || there === null) throw new Problem(503, 'chainId', 'The chain does not answer.')
  let next = 0
  return wanted.flatMap((question, index): readonly Swapped[] => {
    const mine = answers.slice(next, (next += perLeg[index]?.length ?? 0))
    const swapped = question.leg.kind === 'v2' ? inPair(question, mine) : inRange(question, mine)
    return swapped === undefined ? [] : [swapped]
  })
}

function quoteData({ tokenIn, tokenOut, fee }: PoolLeg, amountIn: bigint): string {
  const args = [{ tokenIn, tokenOut, amountIn, fee, sqrtPriceLimitX96: 0n }] as const
  return encodeFunctionData({ abi, functionName: 'quoteExactInputSingle', args })
}

/** Pools have their tokens in the order of addresses. */
const isInOrder = ({ tokenIn, tokenOut }: PoolLeg): boolean => tokenIn < tokenOut

/** The product of both reserves never falls: the rule that pairs themselves go by. */
function inPair({ leg, amount }: LegQuestion, [reserves]: readonly unknown[]): Swapped | undefined {
  const [reserve0, reserve1] = readWords(reserves)
  if (reserve0 === undefined || reserve1 === undefined || reserve0 === 0n || reserve1 === 0n) return undefined
  const [into, outOf] = isInOrder(leg) ? [reserve0, reserve1] : [reserve1, reserve0]
  const whole = million / hundredth
  const counted = amount * (whole - BigInt(leg.fee) / hundredth)
  const received = (counted * outOf) / (into * whole + counted)
  return { leg, received, gas: gas.pair, mid: { times: outOf, by: into } }
}

function inRange({ leg }: LegQuestion, [slot0, quoted]: readonly unknown[]): Swapped | undefined {
  const [sqrtPrice] = readWords(slot0)
  const [received, after, , taken] = readWords(quoted)
  if (sqrtPrice === undefined || sqrtPrice === 0n) return undefined
  if (received === undefined || after === undefined || taken === undefined) return undefined
  if (after <= ends.least || after >= ends.most) return undefined
  const [price, one] = [sqrtPrice ** 2n, 2n ** 192n]
  const mid = isInOrder(leg) ? { times: price, by: one } : { times: one, by: price }
  return { leg, received, gas: taken + gas.range, mid }
}

function readWords(returned: unknown): readonly (bigint | undefined)[] {
  if (typeof returned !== 'string' || !/^0x(?:[0-9a-f]{64})+$/i.test(returned)) return []
  return (returned.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}
