import type { Clock } from '../../../kit/clock.ts'
import { createBreaker } from '../../../kit/breaker.ts'
import { Problem } from '../../../kit/problem.ts'
import type { SwapProvider } from '../../../kit/swapProvider.ts'
import { amount as amountOf, list, read, text } from '../../providers/read.ts'
import { readQuoteId, writeQuoteId } from '../pools/quoteId.ts'
import {
  minimumOf,
  nativeAddress,
  type BuiltSwap,
  type Hex,
  type Order,
  type Quote,
  type RouteSource,
  type SwapQuestion,
} from '../routeSource.ts'
import { askJson } from './askJson.ts'

const home = 'https://api.0x.org'
/** The contract that takes tokens for it on chains with transient storage, as it publishes. */
const usualSpender = '0x0000000000001fF3684f28c67538d4D072C22734'
/** Slippage is told in hundredths of a percent, and is kept in millionths. */
const perHundredth = 100n
/** Where it does not say what a swap takes, in units of gas. */
const usualGas = 500_000n
const good = 300

export type ZeroExParts = { provider: SwapProvider; chainId: string; clock: Clock }

/**
 * Quotes by 0x's Swap API v2 with its allowance holder. What it builds is sent to the configured contract or to nobody: an
 * answer that names another one, or takes other money, is refused.
 */
export function createZeroEx({ provider, chainId, clock }: ZeroExParts): RouteSource {
  const { url = home, key } = provider
  // Checked by the schema of the configuration.
  const spender = (provider.spender ?? usualSpender) as Hex
  const breaker = createBreaker(clock)
  const now = (): number => Math.floor(clock.now() / 1_000)

  async function ask(what: 'price' | 'quote', { from, to, amount }: SwapQuestion, more: Record<string, string> = {}) {
    const question = new URL(`${url.replace(/\/+$/, '')}/swap/allowance-holder/${what}`)
    const query = { chainId, sellToken: from, buyToken: to, sellAmount: String(amount), ...more }
    for (const [name, value] of Object.entries(query)) question.searchParams.set(name, value)
    const answer = await askJson(question, { '0x-api-key': key, '0x-version': 'v2' }, breaker)
    if (read(answer, 'liquidityAvailable') !== true) {
      throw new Problem(400, 'amount', 'There is insufficient liquidity behind the ways to swap this.')
    }
    return answer
  }

  return {
    spender,
    async quotes(question) {
      const answer = await ask('price', question)
      return [tell(question, answer, now())]
    },
    async build(order) {
      const agreed = readAgreed(order, now())
      const { user, slippage } = order
      const answer = await ask('quote', order, { taker: user, slippageBps: String(slippage / perHundredth) })
      return check(order, answer, spender, agreed)
    },
  }
}

function tell(question: SwapQuestion, answer: unknown, at: number): Quote {
  const received = needed(read(answer, 'buyAmount'))
  const block = amountOf(read(answer, 'blockNumber')) ?? 0n
  return {
    id: writeQuoteId({ ...question, received, legs: [], block, at }),
    received,
    gas: amountOf(read(answer, 'gas')),
    hops: list(read(answer, 'route', 'fills')).flatMap((fill) => {
      const [from, to, source] = ['from', 'to', 'source'].map((name) => text(read(fill, name)))
      return isAddress(from) && isAddress(to) ? [{ exchange: `${source ?? '?'} (0x)`, from, to }] : []
    }),
  }
}

/** What was agreed upon, as far as something was. */
function readAgreed({ from, to, amount, slippage, quoteId }: Order, now: number): bigint {
  if (quoteId === undefined) return 0n
  const quoted = readQuoteId(quoteId)
  if (quoted.from !== from || quoted.to !== to || quoted.amount !== amount || quoted.legs.length > 0) {
    throw new Problem(400, 'quoteId', 'This quote is about another swap.')
  }
  if (Math.abs(now - quoted.at) > good) throw new Problem(400, 'quoteId', 'This quote is too old; ask for a new one.')
  return minimumOf(quoted.received, slippage)
}

function check({ from, amount }: Order, answer: unknown, spender: Hex, agreed: bigint): BuiltSwap {
  const [to, data] = [read(answer, 'transaction', 'to'), read(answer, 'transaction', 'data')]
  const value = needed(read(answer, 'transaction', 'value'))
  const wanted = read(answer, 'issues', 'allowance', 'spender') ?? spender
  if (!isSame(to, spender) || !isSame(wanted, spender)) throw new Error('0x names another contract than is configured.')
  if (typeof data !== 'string' || !/^0x(?:[0-9a-f]{2}){4,}$/i.test(data)) throw new Error('0x built no call.')
  if (value !== (from === nativeAddress ? amount : 0n)) throw new Error('0x takes another amount.')
  if (needed(read(answer, 'sellAmount')) !== amount) throw new Error('0x sells another amount.')
  const minimum = needed(read(answer, 'minBuyAmount'))
  if (minimum < agreed) {
    throw new Problem(400, 'slippage', 'Too little received: the price has moved beyond the slippage.')
  }
  const gas = amountOf(read(answer, 'transaction', 'gas')) ?? usualGas
  return { to: spender, data: `0x${data.slice(2)}`, value, gas, spare: 0n, minimum }
}

function needed(told: unknown): bigint {
  const amount = amountOf(told)
  if (amount === undefined) throw new Error('0x did not tell an amount.')
  return amount
}

function isAddress(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}

function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase()
}
