import { createChainRpc, type ChainRpc } from '../../../kit/chain/chainRpc.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { EndpointPool } from '../../../kit/chain/endpointPool.ts'
import type { Exchange } from '../../../kit/chain/exchange.ts'
import { Problem } from '../../../kit/http/problem.ts'
import {
  getMaximumSold,
  getMinimumReceived,
  nativeAddress,
  type BuiltSwap,
  type Hex,
  type SwapOrder,
  type Quote,
  type RouteSource,
} from '../routeSource.ts'
import type { SwapRequest } from '../routeSource.ts'
import { createPoolFinder } from './poolFinder.ts'
import { findRoutes, type RouteFinderDependencies } from './findRoutes.ts'
import { getExchangeName, getPriceImpact, millionths, type Leg, type Route } from './leg.ts'
import { createTransferTaxReader, subtractTax, type TransferTaxReader, type TransferTax } from './transferTax.ts'
import { parseQuoteId, formatQuoteId, type QuoteContent } from './quoteId.ts'
import { encodeOutputSwapCall } from './encodeOutputSwapCall.ts'
import { encodeSwapCall } from './encodeSwapCall.ts'
import { findOutputRoutes } from './findOutputRoutes.ts'

/** Number of quotes in a response. */
const maxRoutes = 3
/** Seconds in which a quote can be built, and in which a swap can be mined. */
const good = { quote: 300, swap: 1_200 } as const
/** Routes with a higher price impact, in millionths, have no usable liquidity. */
const ruin = 900_000n
/** Gas of wrapping. */
const wrapping = 60_000n
/**
 * Extra gas per pair: the first swap of a block updates the price oracle, which a simulation in the same block does not
 * show.
 */
const firstOfBlock = 45_000n
/** Percentage of the estimated gas that an unsimulated swap gets. */
const inHand = 130n

type PoolRouteContext = RouteFinderDependencies & { clock: Clock; wrappedNative: Hex; taxReader: TransferTaxReader }
type Head = { block: bigint; seconds: bigint; gasPrice: bigint }

export type PoolRoutesDependencies = { exchange: Exchange; pool: EndpointPool; clock: Clock }

/** Creates the route source of on-chain pools, quoted at the newest block. */
export function createPoolRoutes({ exchange, pool, clock }: PoolRoutesDependencies): RouteSource {
  const rpc = createChainRpc(pool)
  // Checked by the schema of the configuration.
  const [spender, wrappedNative] = [exchange.router as Hex, exchange.wrappedNative.toLowerCase() as Hex]
  const finder = createPoolFinder(exchange, rpc, clock)
  const context = { exchange, rpc, finder, clock, wrappedNative, taxReader: createTransferTaxReader(rpc, clock) }
  return {
    spender,
    wrappedNative,
    quotesOutput: true,
    quotes: (request, gasPrice) => quotePoolRoutes(context, request, gasPrice),
    async build(order) {
      const { id } =
        order.quoteId === undefined ? getBestQuote(await quotePoolRoutes(context, order)) : { id: order.quoteId }
      return { to: spender, ...(await buildPoolSwap(context, order, parseQuoteId(id))) }
    },
  }
}

async function quotePoolRoutes(
  context: PoolRouteContext,
  request: SwapRequest,
  gasPrice?: bigint,
): Promise<readonly Quote[]> {
  const { exchange, rpc, clock, wrappedNative } = context
  const { amount, exact = 'input' } = request
  const ends = { from: request.from, to: request.to, exact }
  const [from, to] = [toContract(request.from, wrappedNative), toContract(request.to, wrappedNative)]
  const head = await getHead(rpc)
  const at = Math.floor(clock.now() / 1_000)
  const { block } = head
  if (from === to) {
    if (exchange.routerKind === 'pairs') throw noRouteProblem()
    const id = formatQuoteId({ ...ends, sold: amount, received: amount, legs: [], block, at })
    return [{ id, sold: amount, received: amount, gas: wrapping, impact: 0, hops: [] }]
  }
  const taxes = await getTransferTaxes(context, from, to)
  const isTaxed = taxes.entering > 0n || taxes.leaving > 0n
  if (exact === 'output' && isTaxed) {
    throw new Problem(400, 'exact', 'A token of this swap charges a transfer fee. Enter the amount to sell.')
  }
  const wanted = {
    from,
    to,
    amount: subtractTax(amount, taxes.entering),
    block,
    gasPrice: gasPrice ?? head.gasPrice,
  }
  const find = exact === 'output' ? findOutputRoutes : findRoutes
  const { routes, leadsNowhere, isDust } = await find(context, wanted)
  if (leadsNowhere) throw noRouteProblem()
  if (isDust) throw dustProblem()
  const sound = routes.filter((route) => getPriceImpact(route) < ruin && acceptsTaxes(route, taxes))
  if (sound.length === 0) {
    // One base unit of the sold token buys far more than this.
    if (routes.some(({ sold }) => exact === 'output' && sold === 1n)) throw dustProblem()
    throw new Problem(400, 'amount', 'There is insufficient liquidity behind the ways to swap this.')
  }
  return sound.slice(0, maxRoutes).map((route) => {
    const legs = route.swaps.map(({ leg }) => leg)
    const sold = exact === 'output' ? route.sold : amount
    const received = subtractTax(route.received, taxes.leaving)
    const id = formatQuoteId({ ...ends, sold, received, legs, block, at })
    return { id, sold, received, ...toQuoteDetails(exchange, route) }
  })
}

/** Gets the transfer taxes of both tokens, measured in a pair with a common token. */
async function getTransferTaxes(
  { exchange, finder, taxReader, wrappedNative }: PoolRouteContext,
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

/** True if every pool accepts the tokens. Version 3 pools reject tokens with a transfer tax. */
function acceptsTaxes({ swaps }: Route, { entering, leaving }: TransferTax): boolean {
  return (entering === 0n || swaps[0]?.leg.kind === 'v2') && (leaving === 0n || swaps.at(-1)?.leg.kind === 'v2')
}

function toQuoteDetails(exchange: Exchange, route: Route): Pick<Quote, 'gas' | 'impact' | 'hops'> {
  return {
    gas: route.gas,
    impact: toPercent(getPriceImpact(route)),
    hops: route.swaps.map(({ leg }) => ({
      exchange: getExchangeName(exchange, leg),
      from: leg.tokenIn,
      to: leg.tokenOut,
      fee: toPercent(BigInt(leg.fee)),
    })),
  }
}

async function buildPoolSwap(
  { exchange, rpc, clock, wrappedNative }: PoolRouteContext,
  order: SwapOrder,
  quoted: QuoteContent,
): Promise<Omit<BuiltSwap, 'to'>> {
  const { from, to, user } = order
  const { legs, exact, at } = quoted
  if (!isQuoteOf(order, quoted) || !leadsFromTo(order, legs, wrappedNative)) {
    throw new Problem(400, 'quoteId', 'This quote belongs to another swap.')
  }
  const now = Math.floor(clock.now() / 1_000)
  if (now - at > good.quote || at > now + good.quote) {
    throw new Problem(400, 'quoteId', 'This quote has expired. Request a new one.')
  }
  const { seconds } = await getHead(rpc)
  // The clock of the chain may be ahead of ours.
  const deadline = (seconds > BigInt(now) ? seconds : BigInt(now)) + BigInt(good.swap)
  const [paysNative, getsNative] = [from === nativeAddress, to === nativeAddress]
  const slippage = legs.length === 0 ? 0n : order.slippage
  const maximum = exact === 'output' ? getMaximumSold(quoted.sold, slippage) : quoted.sold
  const minimum = exact === 'output' ? quoted.received : getMinimumReceived(quoted.received, slippage)
  const encode = exact === 'output' && legs.length > 0 ? encodeOutputSwapCall : encodeSwapCall
  const data = encode(exchange, {
    legs,
    sold: maximum,
    received: minimum,
    user,
    paysNative,
    getsNative,
    wrappedNative,
    deadline,
  })
  const gas = (BigInt(legs.length + 1) * 150_000n * inHand) / 100n
  const spare = BigInt(legs.filter(({ kind }) => kind === 'v2').length) * firstOfBlock
  return { data, value: paysNative ? maximum : 0n, gas, spare, maximum, minimum }
}

function isQuoteOf({ from, to, amount, exact = 'input' }: SwapRequest, quoted: QuoteContent): boolean {
  if (quoted.from !== from || quoted.to !== to || quoted.exact !== exact) return false
  return amount === (exact === 'output' ? quoted.received : quoted.sold)
}

/** True if the legs lead from one token to the other. */
function leadsFromTo({ from, to }: SwapRequest, legs: readonly Leg[], wrappedNative: Hex): boolean {
  const [start, end] = [toContract(from, wrappedNative), toContract(to, wrappedNative)]
  if (legs.length === 0) return start === end && from !== to
  return legs[0]?.tokenIn === start && legs.at(-1)?.tokenOut === end
}

async function getHead(rpc: ChainRpc): Promise<Head> {
  const [block, gasPrice] = await rpc.batch([
    ['eth_getBlockByNumber', ['latest', false]],
    ['eth_gasPrice', []],
  ])
  const read = (name: string): bigint =>
    parseHeadQuantity(block !== null && typeof block === 'object' ? Reflect.get(block, name) : 0)
  return { block: read('number'), seconds: read('timestamp'), gasPrice: parseHeadQuantity(gasPrice) }
}

function parseHeadQuantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new Error('The chain did not tell its newest block.')
}

function toContract(token: Hex, wrappedNative: Hex): Hex {
  return token === nativeAddress ? wrappedNative : token
}

function toPercent(share: bigint): number {
  return Number(share) / Number(millionths / 100n)
}

const noRouteProblem = (): Problem =>
  new Problem(400, '', 'There is no route between these tokens on the exchanges of this chain.')

const dustProblem = (): Problem => new Problem(400, 'amount', 'The amount is too small to be swapped.')

function getBestQuote([best]: readonly Quote[]): Quote {
  if (best === undefined) throw noRouteProblem()
  return best
}
