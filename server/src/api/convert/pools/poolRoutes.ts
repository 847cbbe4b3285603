import { createChainRpc, type ChainRpc } from '../../../kit/chainRpc.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { EndpointPool } from '../../../kit/endpointPool.ts'
import type { Exchange } from '../../../kit/exchange.ts'
import { Problem } from '../../../kit/problem.ts'
import {
  minimumOf,
  nativeAddress,
  type BuiltSwap,
  type Hex,
  type Order,
  type Quote,
  type RouteSource,
} from '../routeSource.ts'
import type { SwapQuestion } from '../routeSource.ts'
import { createPoolFinder } from './findPools.ts'
import { findRoutes, type RoutesParts } from './findRoutes.ts'
import { exchangeName, impactOf, million, type Leg, type Route } from './leg.ts'
import { createTaxReader, taxed, type TaxReader, type TransferTax } from './transferTax.ts'
import { readQuoteId, writeQuoteId, type Quoted } from './quoteId.ts'
import { writeSwap } from './routers.ts'

/** How many quotes are told. */
const told = 3
/** Seconds: how long a quote may be built, and how long a swap may wait to be mined. */
const good = { quote: 300, swap: 1_200 } as const
/** A swap that loses more of its worth, in millionths, has nothing behind it. */
const ruin = 900_000n
/** Units of gas that wrapping takes. */
const wrapping = 60_000n
/** A pair writes down its prices with the first swap of a block: a try in the block of the last one does not show that. */
const firstOfBlock = 45_000n
/** What is tried on no chain gets this much more gas, in percent. */
const inHand = 130n

type Parts = RoutesParts & { clock: Clock; wrappedNative: Hex; taxReader: TaxReader }
type Head = { block: bigint; seconds: bigint; gasPrice: bigint }

export type PoolRoutesParts = { exchange: Exchange; pool: EndpointPool; clock: Clock }

/** Quotes by the pools of the chain itself, as they are at its newest block. */
export function createPoolRoutes({ exchange, pool, clock }: PoolRoutesParts): RouteSource {
  const rpc = createChainRpc(pool)
  // Checked by the schema of the configuration.
  const [spender, wrappedNative] = [exchange.router as Hex, exchange.wrappedNative.toLowerCase() as Hex]
  const finder = createPoolFinder(exchange, rpc, clock)
  const parts = { exchange, rpc, finder, clock, wrappedNative, taxReader: createTaxReader(rpc, clock) }
  return {
    spender,
    wrappedNative,
    quotes: (question, gasPrice) => quotes(parts, question, gasPrice),
    async build(order) {
      const { id } = order.quoteId === undefined ? first(await quotes(parts, order)) : { id: order.quoteId }
      return { to: spender, ...(await build(parts, order, readQuoteId(id))) }
    },
  }
}

async function quotes(parts: Parts, question: SwapQuestion, gasPrice?: bigint): Promise<readonly Quote[]> {
  const { exchange, rpc, clock, wrappedNative } = parts
  const { amount } = question
  const [from, to] = [contractOf(question.from, wrappedNative), contractOf(question.to, wrappedNative)]
  const head = await readHead(rpc)
  const at = Math.floor(clock.now() / 1_000)
  const { block } = head
  if (from === to) {
    if (exchange.routerKind === 'pairs') throw noRoute()
    const id = writeQuoteId({ ...question, received: amount, legs: [], block, at })
    return [{ id, received: amount, gas: wrapping, impact: 0, hops: [] }]
  }
  const taxes = await taxesOf(parts, from, to)
  const entering = taxed(amount, taxes.entering)
  const wanted = { from, to, amount: entering, block, gasPrice: gasPrice ?? head.gasPrice }
  const { routes, leadsNowhere, isDust } = await findRoutes(parts, wanted)
  if (leadsNowhere) throw noRoute()
  if (isDust) throw new Problem(400, 'amount', 'This is so little that nothing would come of it.')
  const sound = routes.filter((route) => impactOf(route, entering) < ruin && takes(route, taxes))
  if (sound.length === 0) {
    throw new Problem(400, 'amount', 'There is insufficient liquidity behind the ways to swap this.')
  }
  return sound.slice(0, told).map((route) => {
    const legs = route.swaps.map(({ leg }) => leg)
    const received = taxed(route.received, taxes.leaving)
    const id = writeQuoteId({ ...question, received, legs, block, at })
    return { id, received, ...tell(exchange, route, entering) }
  })
}

/** What the tokens at both ends keep of their own transfers, measured in a pair that each is in. */
async function taxesOf(
  { exchange, finder, taxReader, wrappedNative }: Parts,
  from: Hex,
  to: Hex,
): Promise<TransferTax> {
  // Checked by the schema of the configuration.
  const common = [wrappedNative, ...(exchange.between ?? []).map((address) => address.toLowerCase() as Hex)]
  const strange = [from, to].filter((token) => !common.includes(token))
  const pairs = (await finder(strange.flatMap((token) => common.map((other) => [token, other] as const)))).filter(
    ({ kind }) => kind === 'v2',
  )
  const measured = strange.flatMap((token) =>
    pairs
      .filter(({ tokenIn }) => tokenIn === token)
      .slice(0, 1)
      .map(({ pool }) => ({ token, pair: pool })),
  )
  const taxes = await taxReader(measured)
  return { entering: taxes.get(from)?.entering ?? 0n, leaving: taxes.get(to)?.leaving ?? 0n }
}

/** Pools of ranges count what they send and are sent: they take no token that keeps a part of it. */
function takes({ swaps }: Route, { entering, leaving }: TransferTax): boolean {
  return (entering === 0n || swaps[0]?.leg.kind === 'v2') && (leaving === 0n || swaps.at(-1)?.leg.kind === 'v2')
}

function tell(exchange: Exchange, route: Route, amount: bigint): Pick<Quote, 'gas' | 'impact' | 'hops'> {
  return {
    gas: route.gas,
    impact: percent(impactOf(route, amount)),
    hops: route.swaps.map(({ leg }) => ({
      exchange: exchangeName(exchange, leg),
      from: leg.tokenIn,
      to: leg.tokenOut,
      fee: percent(BigInt(leg.fee)),
    })),
  }
}

async function build(
  { exchange, rpc, clock, wrappedNative }: Parts,
  order: Order,
  quoted: Quoted,
): Promise<Omit<BuiltSwap, 'to'>> {
  const { from, to, amount, user, slippage } = order
  const { legs, received, at } = quoted
  if (quoted.from !== from || quoted.to !== to || quoted.amount !== amount || !leads(order, legs, wrappedNative)) {
    throw new Problem(400, 'quoteId', 'This quote is about another swap.')
  }
  const now = Math.floor(clock.now() / 1_000)
  if (now - at > good.quote || at > now + good.quote) {
    throw new Problem(400, 'quoteId', 'This quote is too old; ask for a new one.')
  }
  const { seconds } = await readHead(rpc)
  // A chain may be ahead of this machine.
  const deadline = (seconds > BigInt(now) ? seconds : BigInt(now)) + BigInt(good.swap)
  const [paysNative, getsNative] = [from === nativeAddress, to === nativeAddress]
  const minimum = minimumOf(received, legs.length === 0 ? 0n : slippage)
  const data = writeSwap(exchange, { legs, amount, minimum, user, paysNative, getsNative, wrappedNative, deadline })
  const gas = (BigInt(legs.length + 1) * 150_000n * inHand) / 100n
  const spare = BigInt(legs.filter(({ kind }) => kind === 'v2').length) * firstOfBlock
  return { data, value: paysNative ? amount : 0n, gas, spare, minimum }
}

/** Whether the way of a quote goes from one token to the other. */
function leads({ from, to }: SwapQuestion, legs: readonly Leg[], wrappedNative: Hex): boolean {
  const [start, end] = [contractOf(from, wrappedNative), contractOf(to, wrappedNative)]
  if (legs.length === 0) return start === end && from !== to
  return legs[0]?.tokenIn === start && legs.at(-1)?.tokenOut === end
}

async function readHead(rpc: ChainRpc): Promise<Head> {
  const [block, gasPrice] = await rpc.ask([
    ['eth_getBlockByNumber', ['latest', false]],
    ['eth_gasPrice', []],
  ])
  const read = (name: string): bigint =>
    quantity(block !== null && typeof block === 'object' ? Reflect.get(block, name) : 0)
  return { block: read('number'), seconds: read('timestamp'), gasPrice: quantity(gasPrice) }
}

function quantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new Error('The chain did not tell its newest block.')
}

function contractOf(token: Hex, wrappedNative: Hex): Hex {
  return token === nativeAddress ? wrappedNative : token
}

function percent(millionths: bigint): number {
  return Number(millionths) / Number(million / 100n)
}

const noRoute = (): Problem =>
  new Problem(400, '', 'There is no route between these tokens on the exchanges of this chain.')

function first([best]: readonly Quote[]): Quote {
  if (best === undefined) throw noRoute()
  return best
}
