import { encodeFunctionData, parseAbi } from 'viem'
import type { ChainRpc, ChainRequest } from '../../../kit/chain/chainRpc.ts'
import type { Exchange } from '../../../kit/chain/exchange.ts'
import { Problem } from '../../../kit/http/problem.ts'
import type { ExactSide } from '../routeSource.ts'
import type { PoolLeg } from './poolFinder.ts'
import { millionths, type LegQuote } from './leg.ts'

const abi = parseAbi([
  'struct Single { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Single single) returns (uint256 received, uint160 sqrtPriceAfter, uint32 ticks, uint256 gas)',
  'struct Exact { address tokenIn; address tokenOut; uint256 amount; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactOutputSingle(Exact exact) returns (uint256 sold, uint160 sqrtPriceAfter, uint32 ticks, uint256 gas)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 at)',
  'function slot0() view returns (uint160 sqrtPriceX96)',
])
const reading = {
  reserves: encodeFunctionData({ abi, functionName: 'getReserves' }),
  slot0: encodeFunctionData({ abi, functionName: 'slot0' }),
} as const
/** A swap that reaches the price limits was not fully executed. */
const ends = { least: 4_295_128_740n, most: 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n }
/** Gas of a swap in a pair, and overhead of the router for version 3. */
const gas = { pair: 80_000n, range: 30_000n } as const
/** Pair fees are multiples of a hundredth of a percent. */
const hundredth = 100n

/** A leg and its input amount, or its output amount if `exact` is `output`. */
export type LegRequest = { leg: PoolLeg; amount: bigint; exact?: ExactSide }

/**
 * Quotes swaps at a block. Pools that cannot execute a swap are left out.
 *
 * @throws Problem 503 if the node does not have the block
 */
export async function quotePools(
  { v3 }: Exchange,
  rpc: ChainRpc,
  block: bigint,
  wanted: readonly LegRequest[],
): Promise<readonly LegQuote[]> {
  if (wanted.length === 0) return []
  const at = `0x${block.toString(16)}`
  const call = (to: string, data: string): ChainRequest => ['eth_call', [{ to, data }, at]]
  // One or two calls per leg, in one batch.
  const perLeg = wanted.map((request): readonly ChainRequest[] => {
    const { leg } = request
    if (leg.kind === 'v2') return [call(leg.pool, reading.reserves)]
    return [call(leg.pool, reading.slot0), call(v3?.quoter ?? '', quoteData(request))]
  })
  const [there, ...results] = await rpc.tryBatch([['eth_getBlockByNumber', [at, false]], ...perLeg.flat()])
  if (there === undefined || there === null) throw new Problem(503, 'chainId', 'The chain is not available.')
  let next = 0
  return wanted.flatMap((request, index): readonly LegQuote[] => {
    const mine = results.slice(next, (next += perLeg[index]?.length ?? 0))
    const swapped = request.leg.kind === 'v2' ? quotePair(request, mine) : quoteRange(request, mine)
    return swapped === undefined ? [] : [swapped]
  })
}

function quoteData({ leg: { tokenIn, tokenOut, fee }, amount, exact }: LegRequest): string {
  if (exact === 'output') {
    const output = [{ tokenIn, tokenOut, amount, fee, sqrtPriceLimitX96: 0n }] as const
    return encodeFunctionData({ abi, functionName: 'quoteExactOutputSingle', args: output })
  }
  const args = [{ tokenIn, tokenOut, amountIn: amount, fee, sqrtPriceLimitX96: 0n }] as const
  return encodeFunctionData({ abi, functionName: 'quoteExactInputSingle', args })
}

/** Pools have their tokens in the order of addresses. */
const isInOrder = ({ tokenIn, tokenOut }: PoolLeg): boolean => tokenIn < tokenOut

/** Applies the constant-product rule of pairs. */
function quotePair({ leg, amount, exact }: LegRequest, [reserves]: readonly unknown[]): LegQuote | undefined {
  const [reserve0, reserve1] = parseAbiWords(reserves)
  if (reserve0 === undefined || reserve1 === undefined || reserve0 === 0n || reserve1 === 0n) return undefined
  const [into, outOf] = isInOrder(leg) ? [reserve0, reserve1] : [reserve1, reserve0]
  const whole = millionths / hundredth
  const rest = whole - BigInt(leg.fee) / hundredth
  const result = { leg, gas: gas.pair, mid: { times: outOf, by: into } }
  if (exact === 'output') {
    if (amount >= outOf) return undefined
    // Pairs round in their own favour.
    return { ...result, sold: (into * amount * whole) / ((outOf - amount) * rest) + 1n, received: amount }
  }
  const counted = amount * rest
  return { ...result, sold: amount, received: (counted * outOf) / (into * whole + counted) }
}

function quoteRange({ leg, amount, exact }: LegRequest, [slot0, quoted]: readonly unknown[]): LegQuote | undefined {
  const [sqrtPrice] = parseAbiWords(slot0)
  const [other, after, , taken] = parseAbiWords(quoted)
  if (sqrtPrice === undefined || sqrtPrice === 0n) return undefined
  if (other === undefined || after === undefined || taken === undefined) return undefined
  if (after <= ends.least || after >= ends.most) return undefined
  const [price, one] = [sqrtPrice ** 2n, 2n ** 192n]
  const mid = isInOrder(leg) ? { times: price, by: one } : { times: one, by: price }
  const [sold, received] = exact === 'output' ? [other, amount] : [amount, other]
  return { leg, sold, received, gas: taken + gas.range, mid }
}

function parseAbiWords(returned: unknown): readonly (bigint | undefined)[] {
  if (typeof returned !== 'string' || !/^0x(?:[0-9a-f]{64})+$/i.test(returned)) return []
  return (returned.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}
