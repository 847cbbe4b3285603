import { concat, encodeFunctionData, encodePacked, parseAbi } from 'viem'
import type { Exchange } from '../../../kit/exchange.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Hex } from '../routeSource.ts'
import type { Leg } from './leg.ts'

/** A swap as a router is told of it. Without legs, the native currency is only wrapped or unwrapped. */
export type RouterOrder = {
  legs: readonly Leg[]
  amount: bigint
  minimum: bigint
  user: Hex
  paysNative: boolean
  getsNative: boolean
  wrappedNative: Hex
  /** Seconds since 1970. */
  deadline: bigint
}

const bothAbi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function wrapETH(uint256 value) payable',
  'function unwrapWETH9(uint256 minimum, address recipient) payable',
  'function sweepToken(address token, uint256 minimum, address recipient) payable',
  'function pull(address token, uint256 value) payable',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 minimum, address[] path, address to) payable',
  'struct ExactInput { bytes path; address recipient; uint256 amountIn; uint256 minimum; }',
  'function exactInput(ExactInput params) payable',
])
const pairsAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 minimum, address[] path, address to, uint256 deadline) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 minimum, address[] path, address to, uint256 deadline)',
  'function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 minimum, address[] path, address to, uint256 deadline)',
])
/** The router's own word for itself as the receiver. */
const routerItself: Hex = '0x0000000000000000000000000000000000000002'
/** The router's own word for all that it holds of a token. */
const allItHolds = 0n

/** Writes the call of the router that does a swap. */
export function writeSwap({ routerKind = 'both' }: Exchange, order: RouterOrder): Hex {
  return routerKind === 'both' ? writeForBoth(order) : writeForPairs(order)
}

/** One step per row of pools of one kind; what is between them, and what is to be unwrapped, the router keeps meanwhile. */
function writeForBoth(order: RouterOrder): Hex {
  const { legs, amount, minimum, user, getsNative, deadline } = order
  const rows = rowsOf(legs)
  const steps = rows.map((row, index) => {
    const isLast = index === rows.length - 1
    const recipient = isLast && !getsNative ? user : routerItself
    return writeRow(row, index === 0 ? amount : allItHolds, isLast ? minimum : 0n, recipient)
  })
  const unwrap = encodeFunctionData({ abi: bothAbi, functionName: 'unwrapWETH9', args: [minimum, user] })
  const data = legs.length === 0 ? writeWrap(order) : getsNative ? [...steps, unwrap] : steps
  return encodeFunctionData({ abi: bothAbi, functionName: 'multicall', args: [deadline, data] })
}

function writeWrap({ amount, minimum, user, paysNative, wrappedNative }: RouterOrder): readonly Hex[] {
  if (paysNative) {
    return [
      encodeFunctionData({ abi: bothAbi, functionName: 'wrapETH', args: [amount] }),
      encodeFunctionData({ abi: bothAbi, functionName: 'sweepToken', args: [wrappedNative, minimum, user] }),
    ]
  }
  return [
    encodeFunctionData({ abi: bothAbi, functionName: 'pull', args: [wrappedNative, amount] }),
    encodeFunctionData({ abi: bothAbi, functionName: 'unwrapWETH9', args: [minimum, user] }),
  ]
}

function rowsOf(legs: readonly Leg[]): readonly (readonly Leg[])[] {
  const [first, second] = legs
  if (first === undefined || second === undefined) return first === undefined ? [] : [[first]]
  return first.kind === second.kind ? [[first, second]] : [[first], [second]]
}

function writeRow(row: readonly Leg[], amountIn: bigint, minimum: bigint, recipient: Hex): Hex {
  const tokens = pathOf(row)
  if (row[0]?.kind === 'v2') {
    const args = [amountIn, minimum, tokens, recipient] as const
    return encodeFunctionData({ abi: bothAbi, functionName: 'swapExactTokensForTokens', args })
  }
  const path = concat([
    ...row.flatMap(({ tokenIn, fee }) => [tokenIn, encodePacked(['uint24'], [fee])]),
    tokens.at(-1) ?? '0x',
  ])
  return encodeFunctionData({
    abi: bothAbi,
    functionName: 'exactInput',
    args: [{ path, recipient, amountIn, minimum }],
  })
}

function pathOf(legs: readonly Leg[]): readonly Hex[] {
  return [...legs.slice(0, 1).map(({ tokenIn }) => tokenIn), ...legs.map(({ tokenOut }) => tokenOut)]
}

/** The router of pairs alone neither wraps nor knows ranges. */
function writeForPairs({ legs, amount, minimum, user, paysNative, getsNative, deadline }: RouterOrder): Hex {
  if (legs.length === 0 || legs.some(({ kind }) => kind !== 'v2')) {
    throw new Problem(400, 'quoteId', 'The exchange of this chain does not do this; ask for a new quote.')
  }
  const path = pathOf(legs)
  if (paysNative) {
    const functionName = 'swapExactETHForTokensSupportingFeeOnTransferTokens'
    return encodeFunctionData({ abi: pairsAbi, functionName, args: [minimum, path, user, deadline] })
  }
  const functionName = getsNative
    ? 'swapExactTokensForETHSupportingFeeOnTransferTokens'
    : 'swapExactTokensForTokensSupportingFeeOnTransferTokens'
  return encodeFunctionData({ abi: pairsAbi, functionName, args: [amount, minimum, path, user, deadline] })
}
