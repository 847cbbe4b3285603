import { concat, encodeFunctionData, encodePacked, parseAbi } from 'viem'
import type { Exchange } from '../../../kit/chain/exchange.ts'
import type { Hex } from '../routeSource.ts'
import { routerItself, toTokenPath, unsupportedRouteProblem, type RouterSwap } from './encodeSwapCall.ts'
import type { Leg } from './leg.ts'

const bothAbi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function unwrapWETH9(uint256 minimum, address recipient) payable',
  'function refundETH() payable',
  'function swapTokensForExactTokens(uint256 amountOut, uint256 maximum, address[] path, address to) payable',
  'struct ExactOutput { bytes path; address recipient; uint256 amountOut; uint256 maximum; }',
  'function exactOutput(ExactOutput params) payable',
])
const pairsAbi = parseAbi([
  'function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable',
  'function swapTokensForExactETH(uint256 amountOut, uint256 maximum, address[] path, address to, uint256 deadline)',
  'function swapTokensForExactTokens(uint256 amountOut, uint256 maximum, address[] path, address to, uint256 deadline)',
])

/** Encodes the router call of a swap with an exact output. All its pools are of one kind. */
export function encodeOutputSwapCall({ routerKind = 'both' }: Exchange, order: RouterSwap): Hex {
  const [first, ...rest] = order.legs
  if (first === undefined || rest.some(({ kind }) => kind !== first.kind)) throw unsupportedRouteProblem()
  if (routerKind === 'both') return encodeForBothRouter(order, first.kind)
  if (first.kind !== 'v2') throw unsupportedRouteProblem()
  return encodeForPairsRouter(order)
}

/** The router returns the native currency that it did not need. */
function encodeForBothRouter(order: RouterSwap, kind: Leg['kind']): Hex {
  const { received, user, paysNative, getsNative, deadline } = order
  const data = [kind === 'v2' ? encodePairs(order) : encodeRanges(order)]
  if (getsNative) data.push(encodeFunctionData({ abi: bothAbi, functionName: 'unwrapWETH9', args: [received, user] }))
  if (paysNative) data.push(encodeFunctionData({ abi: bothAbi, functionName: 'refundETH' }))
  return encodeFunctionData({ abi: bothAbi, functionName: 'multicall', args: [deadline, data] })
}

function encodePairs({ legs, sold, received, user, getsNative }: RouterSwap): Hex {
  const args = [received, sold, toTokenPath(legs), getsNative ? routerItself : user] as const
  return encodeFunctionData({ abi: bothAbi, functionName: 'swapTokensForExactTokens', args })
}

/** The path of an exact output leads from the received token back to the sold one. */
function encodeRanges({ legs, sold, received, user, getsNative }: RouterSwap): Hex {
  const backwards = legs.toReversed()
  const path = concat([
    ...backwards.flatMap(({ tokenOut, fee }) => [tokenOut, encodePacked(['uint24'], [fee])]),
    backwards.at(-1)?.tokenIn ?? '0x',
  ])
  const params = { path, recipient: getsNative ? routerItself : user, amountOut: received, maximum: sold }
  return encodeFunctionData({ abi: bothAbi, functionName: 'exactOutput', args: [params] })
}

/** The version 2 router returns the native currency that it did not need. */
function encodeForPairsRouter({ legs, sold, received, user, paysNative, getsNative, deadline }: RouterSwap): Hex {
  const path = toTokenPath(legs)
  if (paysNative) {
    const functionName = 'swapETHForExactTokens'
    return encodeFunctionData({ abi: pairsAbi, functionName, args: [received, path, user, deadline] })
  }
  const functionName = getsNative ? 'swapTokensForExactETH' : 'swapTokensForExactTokens'
  return encodeFunctionData({ abi: pairsAbi, functionName, args: [received, sold, path, user, deadline] })
}
