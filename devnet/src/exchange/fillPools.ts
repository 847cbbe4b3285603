import { encodeFunctionData, maxUint256, parseAbi, type Hex } from 'viem'
import type { LocalToken } from '../evm/deploy.ts'
import type { Call, ExchangeNode, LocalExchange } from './localExchange.ts'
import { poolPlans, sqrtPrice, unitsOf, type PoolPlan } from './poolPlans.ts'

const tokenAbi = parseAbi(['function mint(address to, uint256 amount)', 'function approve(address to, uint256 amount)'])
const v2Abi = parseAbi([
  'function getPair(address a, address b) view returns (address)',
  'function addLiquidity(address a, address b, uint256 wantedA, uint256 wantedB, uint256 minA, uint256 minB, address to, uint256 deadline)',
  'function addLiquidityETH(address token, uint256 wanted, uint256 min, uint256 minEth, address to, uint256 deadline) payable',
])
const v3Abi = parseAbi([
  'function getPool(address a, address b, uint24 fee) view returns (address)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable',
  'struct Minted { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0; uint256 amount1; uint256 min0; uint256 min1; address recipient; uint256 deadline; }',
  'function mint(Minted minted) payable',
])
/** The full tick range of each fee tier. */
const widest = { 500: 887_270, 3_000: 887_220 } as const

type Holding = { asset: string; token: Hex; amount: bigint }

/** Returns the transactions that add liquidity to the empty pools of the plans. */
export async function fillPools(
  node: ExchangeNode,
  exchange: LocalExchange,
  tokens: readonly LocalToken[],
): Promise<readonly Call[]> {
  const plans = poolPlans.map((plan) => ({ plan, holdings: holdingsOf(plan, exchange, tokens) }))
  const filled = await Promise.all(plans.map(({ plan, holdings }) => isFilled(node, exchange, plan, holdings)))
  const empty = plans.filter((_, index) => filled[index] === false)
  if (empty.length === 0) return []
  const owner = node.account.address
  const needed = (token: Hex): bigint =>
    empty
      .flatMap(({ holdings }) => holdings)
      .reduce((sum, holding) => (holding.token === token ? sum + holding.amount : sum), 0n)
  const supplied = tokens.flatMap(({ address: to }) => [
    { to, data: encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [owner, needed(to)] }) },
    ...[exchange.v2.router, exchange.v3.positions].map((spender) => ({
      to,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [spender, maxUint256] }),
    })),
  ])
  const fill = ({ plan, holdings }: (typeof plans)[number]): readonly Call[] =>
    plan.kind === 'v2' ? [fillV2(exchange, holdings, owner)] : fillV3(exchange, plan.fee ?? 500, holdings, owner)
  return [...supplied, ...empty.flatMap(fill)]
}

/** The two sides of a pool, sorted by address. */
function holdingsOf(
  { holds }: PoolPlan,
  { wrappedNative }: LocalExchange,
  tokens: readonly LocalToken[],
): [Holding, Holding] {
  const [one, other] = holds.map(([asset, whole]): Holding => {
    const token = asset === 'native' ? wrappedNative : tokens.find(({ symbol }) => symbol === asset)?.address
    if (token === undefined) throw new Error(`There is no token ${asset} to fill a pool with.`)
    return { asset, token, amount: unitsOf(asset, whole, tokens) }
  })
  if (one === undefined || other === undefined) throw new Error('A pool has two sides.')
  return one.token.toLowerCase() < other.token.toLowerCase() ? [one, other] : [other, one]
}

async function isFilled(
  node: ExchangeNode,
  { v2, v3 }: LocalExchange,
  { kind, fee = 500 }: PoolPlan,
  [{ token: a }, { token: b }]: [Holding, Holding],
): Promise<boolean> {
  const pool =
    kind === 'v2'
      ? await node.readContract({ address: v2.factory, abi: v2Abi, functionName: 'getPair', args: [a, b] })
      : await node.readContract({ address: v3.factory, abi: v3Abi, functionName: 'getPool', args: [a, b, fee] })
  const holding = parseAbi(['function balanceOf(address holder) view returns (uint256)'])
  return (await node.readContract({ address: a, abi: holding, functionName: 'balanceOf', args: [pool] })) > 0n
}

function fillV2({ v2: { router: to } }: LocalExchange, holdings: [Holding, Holding], owner: Hex): Call {
  const native = holdings.find(({ asset }) => asset === 'native')
  const [one, other] = holdings
  if (native === undefined) {
    const args = [one.token, other.token, one.amount, other.amount, 0n, 0n, owner, maxUint256] as const
    return { to, data: encodeFunctionData({ abi: v2Abi, functionName: 'addLiquidity', args }) }
  }
  const { token, amount } = native === one ? other : one
  const args = [token, amount, 0n, 0n, owner, maxUint256] as const
  return { to, data: encodeFunctionData({ abi: v2Abi, functionName: 'addLiquidityETH', args }), value: native.amount }
}

function fillV3(
  { v3: { positions: to } }: LocalExchange,
  fee: 500 | 3_000,
  [one, other]: [Holding, Holding],
  recipient: Hex,
): readonly Call[] {
  const [token0, token1] = [one.token, other.token]
  const pool = [token0, token1, fee, sqrtPrice(one.amount, other.amount)] as const
  const position = {
    token0,
    token1,
    fee,
    tickLower: -widest[fee],
    tickUpper: widest[fee],
    amount0: one.amount,
    amount1: other.amount,
    min0: 0n,
    min1: 0n,
    recipient,
    deadline: maxUint256,
  }
  const value = [one, other].find(({ asset }) => asset === 'native')?.amount ?? 0n
  return [
    { to, data: encodeFunctionData({ abi: v3Abi, functionName: 'createAndInitializePoolIfNecessary', args: pool }) },
    { to, data: encodeFunctionData({ abi: v3Abi, functionName: 'mint', args: [position] }), value },
  ]
}
