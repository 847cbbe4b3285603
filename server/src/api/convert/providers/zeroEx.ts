import type { Clock } from '../../../kit/runtime/clock.ts'
import { createCircuitBreaker } from '../../../kit/limits/circuitBreaker.ts'
import { Problem } from '../../../kit/http/problem.ts'
import type { SwapProvider } from '../../../kit/chain/swapProvider.ts'
import { toAmount as amountOf, toList, toFirstText } from '../../http/toAmount.ts'
import { getField } from '../../../kit/runtime/getField.ts'
import { parseQuoteId, formatQuoteId } from '../pools/quoteId.ts'
import {
  getMinimumReceived,
  nativeAddress,
  type BuiltSwap,
  type Hex,
  type SwapOrder,
  type Quote,
  type RouteSource,
  type SwapRequest,
} from '../routeSource.ts'
import { requestSwapProvider } from './requestSwapProvider.ts'

const home = 'https://api.0x.org'
/** The allowance holder on chains with transient storage, as 0x publishes it. */
const usualSpender = '0x0000000000001fF3684f28c67538d4D072C22734'
/** The API takes slippage in hundredths of a percent; we use millionths. */
const perHundredth = 100n
/** Default gas of a swap. */
const usualGas = 500_000n
const good = 300

export type ZeroExDependencies = { provider: SwapProvider; chainId: string; clock: Clock }

/**
 * Creates the route source of 0x's Swap API v2 with its allowance holder. Responses that name another contract than the
 * configured one, or another amount, are rejected.
 */
export function createZeroEx({ provider, chainId, clock }: ZeroExDependencies): RouteSource {
  const { url = home, key } = provider
  // Checked by the schema of the configuration.
  const spender = (provider.spender ?? usualSpender) as Hex
  const breaker = createCircuitBreaker(clock)
  const now = (): number => Math.floor(clock.now() / 1_000)

  async function sendRequest(
    what: 'price' | 'quote',
    { from, to, amount }: SwapRequest,
    more: Record<string, string> = {},
  ) {
    const request = new URL(`${url.replace(/\/+$/, '')}/swap/allowance-holder/${what}`)
    const query = { chainId, sellToken: from, buyToken: to, sellAmount: String(amount), ...more }
    for (const [name, value] of Object.entries(query)) request.searchParams.set(name, value)
    const response = await requestSwapProvider(request, { '0x-api-key': key, '0x-version': 'v2' }, breaker)
    if (getField(response, 'liquidityAvailable') !== true) {
      throw new Problem(400, 'amount', 'There is insufficient liquidity behind the ways to swap this.')
    }
    return response
  }

  return {
    spender,
    // Version 2 of the API has no `buyAmount`.
    quotesOutput: false,
    async quotes(request) {
      const response = await sendRequest('price', request)
      return [toZeroExQuote(request, response, now())]
    },
    async build(order) {
      const agreed = getAgreedMinimum(order, now())
      const { user, slippage } = order
      const response = await sendRequest('quote', order, { taker: user, slippageBps: String(slippage / perHundredth) })
      return toBuiltSwap(order, response, spender, agreed)
    },
  }
}

function toZeroExQuote(request: SwapRequest, response: unknown, at: number): Quote {
  const { from: sellToken, to: buyToken, amount: sold } = request
  const received = requireAmount(getField(response, 'buyAmount'))
  const block = amountOf(getField(response, 'blockNumber')) ?? 0n
  return {
    id: formatQuoteId({ from: sellToken, to: buyToken, exact: 'input', sold, received, legs: [], block, at }),
    sold,
    received,
    gas: amountOf(getField(response, 'gas')),
    hops: toList(getField(response, 'route', 'fills')).flatMap((fill) => {
      const [from, to, source] = ['from', 'to', 'source'].map((name) => toFirstText(getField(fill, name)))
      return isHexAddress(from) && isHexAddress(to) ? [{ exchange: `${source ?? '?'} (0x)`, from, to }] : []
    }),
  }
}

/** Gets the minimum of the accepted quote, or 0 without one. */
function getAgreedMinimum({ from, to, amount, slippage, quoteId }: SwapOrder, now: number): bigint {
  if (quoteId === undefined) return 0n
  const quoted = parseQuoteId(quoteId)
  if (
    quoted.exact !== 'input' ||
    quoted.from !== from ||
    quoted.to !== to ||
    quoted.sold !== amount ||
    quoted.legs.length > 0
  ) {
    throw new Problem(400, 'quoteId', 'This quote belongs to another swap.')
  }
  if (Math.abs(now - quoted.at) > good) throw new Problem(400, 'quoteId', 'This quote has expired. Request a new one.')
  return getMinimumReceived(quoted.received, slippage)
}

function toBuiltSwap({ from, amount }: SwapOrder, response: unknown, spender: Hex, agreed: bigint): BuiltSwap {
  const [to, data] = [getField(response, 'transaction', 'to'), getField(response, 'transaction', 'data')]
  const value = requireAmount(getField(response, 'transaction', 'value'))
  const wanted = getField(response, 'issues', 'allowance', 'spender') ?? spender
  if (!isSameAddress(to, spender) || !isSameAddress(wanted, spender))
    throw new Error('0x names another contract than is configured.')
  if (typeof data !== 'string' || !/^0x(?:[0-9a-f]{2}){4,}$/i.test(data)) throw new Error('0x built no call.')
  if (value !== (from === nativeAddress ? amount : 0n)) throw new Error('0x takes another amount.')
  if (requireAmount(getField(response, 'sellAmount')) !== amount) throw new Error('0x sells another amount.')
  const minimum = requireAmount(getField(response, 'minBuyAmount'))
  if (minimum < agreed) {
    throw new Problem(400, 'slippage', 'Too little received: the price has moved beyond the slippage.')
  }
  const gas = amountOf(getField(response, 'transaction', 'gas')) ?? usualGas
  return { to: spender, data: `0x${data.slice(2)}`, value, gas, spare: 0n, maximum: amount, minimum }
}

function requireAmount(value: unknown): bigint {
  const amount = amountOf(value)
  if (amount === undefined) throw new Error('0x did not tell an amount.')
  return amount
}

function isHexAddress(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}

function isSameAddress(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase()
}
