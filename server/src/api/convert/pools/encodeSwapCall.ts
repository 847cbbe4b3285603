import { concat, encodeFunctionData, encodePacked, parseAbi } from 'viem'
import type { Exchange } from '../../../kit/chain/exchange.ts'
import { Problem } from '../../../kit/http/problem.ts'
import type { Hex } from '../routeSource.ts'
import type { Leg } from './leg.ts'

/** The input of a router call. Without legs, the native currency is only wrapped or unwrapped. */
export type RouterSwap = {
  legs: readonly Leg[]
  /** The amount to sell. It is a maximum if the output is exact. */
  sold: bigint
  /** The amount to receive. It is a minimum if the input is exact. */
  received: bigint
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
/** The constant that the router replaces with its own address as the receiver. */
export const routerItself: Hex = '0x0000000000000000000000000000000000000002'
/** The constant that the router replaces with its whole balance of a token. */
const allItHolds = 0n

/** Encodes the router call of a swap with an exact input. */
export function encodeSwapCall({ routerKind = 'both' }: Exchange, order: RouterSwap): Hex {
  return routerKind === 'both' ? encodeForBothRouter(order) : encodeForPairsRouter(order)
}

/** Encodes one step per sequence of pools of the same kind. The router holds the intermediate tokens. */
function encodeForBothRouter(order: RouterSwap): Hex {
  const { legs, sold, received, user, getsNative, deadline } = order
  const rows = groupLegsByKind(legs)
  const steps = rows.map((row, index) => {
    const isLast = index === rows.length - 1
    const recipient = isLast && !getsNative ? user : routerItself
    return encodeLegs(row, index === 0 ? sold : allItHolds, isLast ? received : 0n, recipient)
  })
  const unwrap = encodeFunctionData({ abi: bothAbi, functionName: 'unwrapWETH9', args: [received, user] })
  const data = legs.length === 0 ? encodeWrap(order) : getsNative ? [...steps, unwrap] : steps
  return encodeFunctionData({ abi: bothAbi, functionName: 'multicall', args: [deadline, data] })
}

function encodeWrap({ sold, received, user, paysNative, wrappedNative }: RouterSwap): readonly Hex[] {
  if (paysNative) {
    return [
      encodeFunctionData({ abi: bothAbi, functionName: 'wrapETH', args: [sold] }),
      encodeFunctionData({ abi: bothAbi, functionName: 'sweepToken', args: [wrappedNative, received, user] }),
    ]
  }
  return [
    encodeFunctionData({ abi: bothAbi, functionName: 'pull', args: [wrappedNative, sold] }),
    encodeFunctionData({ abi: bothAbi, functionName: 'unwrapWETH9', args: [received, user] }),
  ]
}

function groupLegsByKind(legs: readonly Leg[]): readonly (readonly Leg[])[] {
  const [first, second] = legs
  if (first === undefined || second === undefined) return first === undefined ? [] : [[first]]
  return first.kind === second.kind ? [[first, second]] : [[first], [second]]
}

function encodeLegs(row: readonly Leg[], amountIn: bigint, minimum: bigint, recipient: Hex): Hex {
  const tokens = toTokenPath(row)
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

/** Gets the tokens of a route, from the sold to the received one. */
export function toTokenPath(legs: readonly Leg[]): readonly Hex[] {
  return [...legs.slice(0, 1).map(({ tokenIn }) => tokenIn), ...legs.map(({ tokenOut }) => tokenOut)]
}

/** Encodes a call of the version 2 router, which neither wraps nor supports version 3 pools. */
function encodeForPairsRouter({ legs, sold, received, user, paysNative, getsNative, deadline }: RouterSwap): Hex {
  if (legs.length === 0 || legs.some(({ kind }) => kind !== 'v2')) throw unsupportedRouteProblem()
  const path = toTokenPath(legs)
  if (paysNative) {
    const functionName = 'swapExactETHForTokensSupportingFeeOnTransferTokens'
    return encodeFunctionData({ abi: pairsAbi, functionName, args: [received, path, user, deadline] })
  }
  const functionName = getsNative
    ? 'swapExactTokensForETHSupportingFeeOnTransferTokens'
    : 'swapExactTokensForTokensSupportingFeeOnTransferTokens'
  return encodeFunctionData({ abi: pairsAbi, functionName, args: [sold, received, path, user, deadline] })
}

/** Creates the problem of a forged quote id whose route the router can't execute. */
export const unsupportedRouteProblem = (): Problem =>
  new Problem(400, 'quoteId', 'The exchange of this chain does not support this route. Request a new quote.')
