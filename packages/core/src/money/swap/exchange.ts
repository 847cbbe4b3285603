import type { ChainId } from '@latchkey/protocol'
import { isRecord } from '../../isRecord.ts'
import { ask, serverUrl } from '../../api/ask.ts'
import type { Latchkey } from '../../latchkey.ts'
import { accountOn, isHop, isOn, list, nonsense, readUnits } from './answers.ts'
import { isUnknownChain, nameOf, understand } from './refusals.ts'
import { swapError } from './swapError.ts'
import type { SwapFee, SwapQuestion, SwapQuote, SwapToken } from './state.ts'

/** What stands for the native currency where a contract is expected. */
const nativeAddress = `0x${'e'.repeat(40)}`

/**
 * All that can be swapped on a network.
 *
 * @throws LatchkeyError `swap/unsupported`, and what asking the server throws.
 */
export async function askTokens(latchkey: Latchkey, chainId: ChainId): Promise<readonly SwapToken[]> {
  const answer = await ask(latchkey, serverUrl(latchkey, '/v1/convert/tokens', { chainId })).catch((error: unknown) => {
    if (isUnknownChain(error)) throw swapError('swap/unsupported', { network: nameOf(latchkey, chainId) })
    throw error
  })
  const tokens = list(answer, 'tokens').flatMap((entry) => readToken(entry, chainId))
  if (tokens.length === 0) throw swapError('swap/unsupported', { network: nameOf(latchkey, chainId) })
  return tokens
}

function readToken(entry: unknown, chainId: ChainId): readonly SwapToken[] {
  if (!isRecord(entry)) return []
  const { name, symbol, address: id, decimals, logoUri } = entry
  if (typeof name !== 'string' || typeof symbol !== 'string' || typeof id !== 'string') return []
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 77) return []
  if (!id.startsWith(`${chainId}:`)) return []
  const address = id.slice(chainId.length + 1)
  return [
    {
      id,
      name,
      symbol,
      decimals,
      ...(address.toLowerCase() !== nativeAddress && { address }),
      ...(typeof logoUri === 'string' && logoUri !== '' && { iconUrl: logoUri }),
    },
  ]
}

/**
 * Dollars for one of each token, by its id; those that nobody knows are left out.
 *
 * @throws LatchkeyError what asking the server throws.
 */
export async function askPrices(latchkey: Latchkey, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const url = serverUrl(latchkey, '/v1/fungible/price')
  const { projectId } = latchkey.settings
  const answer = await ask(latchkey, url, undefined, { projectId, currency: 'usd', addresses: ids })
  const prices = new Map<string, number>()
  for (const entry of list(answer, 'fungibles')) {
    if (!isRecord(entry)) continue
    const { address, price } = entry
    // An unknown price is never 0: one that says so is unknown.
    if (typeof address === 'string' && typeof price === 'number' && price > 0) prices.set(address.toLowerCase(), price)
  }
  return prices
}

/**
 * What a swap would give now.
 *
 * @throws LatchkeyError `swap/no-route`, `swap/insufficient-liquidity`, `swap/quote-failed`, `swap/gas-price-unsupported`,
 *   `http/unreachable`; the signal's reason when it was aborted.
 */
export async function askQuote(latchkey: Latchkey, question: SwapQuestion, signal: AbortSignal): Promise<SwapQuote> {
  const { account, chainId, from, to, amount } = question
  const at = latchkey.clock.now()
  const query = { amount: String(amount), from: from.id, to: to.id, userAddress: accountOn(account, chainId) }
  const [answer, prices] = await Promise.all([
    ask(latchkey, serverUrl(latchkey, '/v1/convert/quotes', query), signal),
    askGasPrices(latchkey, chainId, signal),
  ]).catch((error: unknown) => {
    throw understand(latchkey, question, error)
  })
  const best = list(answer, 'quotes')[0]
  if (best === undefined) throw swapError('swap/no-route', { from: from.symbol, to: to.symbol })
  if (!isRecord(best)) throw nonsense('quotes')
  const toAmount = readUnits(best['toAmount'])
  const { id, spender, priceImpact } = best
  if (toAmount === undefined || typeof spender !== 'string' || !isOn(spender, chainId)) throw nonsense('quotes')
  if (readUnits(best['fromAmount']) !== amount) throw nonsense('quotes')
  if (toAmount === 0n) throw swapError('swap/insufficient-liquidity', { from: from.symbol, to: to.symbol })
  return {
    question,
    id: typeof id === 'string' ? id : undefined,
    toAmount,
    spender,
    fee: readFee(readUnits(best['gas']), prices),
    impact: typeof priceImpact === 'number' && Number.isFinite(priceImpact) ? priceImpact : undefined,
    route: (Array.isArray(best['route']) ? best['route'] : []).filter(isHop),
    at,
  }
}

type GasPrices = { readonly standard: bigint; readonly instant: bigint }

async function askGasPrices(latchkey: Latchkey, chainId: ChainId, signal: AbortSignal): Promise<GasPrices> {
  const answer = await ask(latchkey, serverUrl(latchkey, '/v1/convert/gas-price', { chainId }), signal).catch(
    (error: unknown) => {
      if (isUnknownChain(error)) throw swapError('swap/gas-price-unsupported', { network: nameOf(latchkey, chainId) })
      throw error
    },
  )
  const [standard, instant] = isRecord(answer) ? [readUnits(answer['standard']), readUnits(answer['instant'])] : []
  if (standard === undefined || instant === undefined) throw nonsense('gas prices')
  return { standard, instant }
}

/** Wallets want twice the present price to be there, since it may go up before the transaction is mined. */
function readFee(gas: bigint | undefined, { standard, instant }: GasPrices): SwapFee | undefined {
  if (gas === undefined) return undefined
  const dear = 2n * standard
  return { value: gas * standard, most: gas * (instant > dear ? instant : dear) }
}
