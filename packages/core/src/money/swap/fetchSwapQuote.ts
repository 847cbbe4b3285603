import type { ChainId } from '@latchkey/protocol'
import { isRecord } from '../../isRecord.ts'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { accountOn, isHop, isOnChain, parseList, invalidResponse, readUnits } from './responses.ts'
import { isUnknownChain, networkName, toSwapError } from './toSwapError.ts'
import { swapError } from './swapError.ts'
import type { SwapFee, SwapQuoteRequest, SwapQuote, SwapToken } from './state.ts'

/** The placeholder address of the native currency. */
const nativeAddress = `0x${'e'.repeat(40)}`

/**
 * Fetches the tokens that can be swapped on a network.
 *
 * @throws LatchkeyError `swap/unsupported`, and the errors of a server request
 */
export async function fetchSwapTokens(
  latchkey: Pick<Latchkey, 'networks' | 'events' | 'internal'>,
  chainId: ChainId,
): Promise<readonly SwapToken[]> {
  const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/convert/tokens', { chainId })).catch(
    (error: unknown) => {
      if (isUnknownChain(error)) throw swapError('swap/unsupported', { network: networkName(latchkey, chainId) })
      throw error
    },
  )
  const tokens = parseList(response, 'tokens').flatMap((entry) => readToken(entry, chainId))
  if (tokens.length === 0) throw swapError('swap/unsupported', { network: networkName(latchkey, chainId) })
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
 * Returns the dollar prices of tokens by id. Unknown prices are left out.
 *
 * @throws LatchkeyError the errors of a server request
 */
export async function fetchPrices(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const url = serverUrl(latchkey, '/v1/fungible/price')
  const { projectId } = latchkey.internal.settings
  const response = await fetchJson(latchkey, url, undefined, { projectId, currency: 'usd', addresses: ids })
  const prices = new Map<string, number>()
  for (const entry of parseList(response, 'fungibles')) {
    if (!isRecord(entry)) continue
    const { address, price } = entry
    // A price of 0 means that the price is unknown.
    if (typeof address === 'string' && typeof price === 'number' && price > 0) prices.set(address.toLowerCase(), price)
  }
  return prices
}

/**
 * Fetches a quote.
 *
 * @throws LatchkeyError `swap/no-route`, `swap/insufficient-liquidity`, `swap/quote-failed`, `swap/gas-price-unsupported`,
 *   `http/unreachable`; the signal's reason when it was aborted.
 */
export async function fetchSwapQuote(
  latchkey: Pick<Latchkey, 'networks' | 'events' | 'internal'>,
  request: SwapQuoteRequest,
  signal: AbortSignal,
): Promise<SwapQuote> {
  const { account, chainId, from, to, amount } = request
  const at = latchkey.internal.clock.now()
  const query = { amount: String(amount), from: from.id, to: to.id, userAddress: accountOn(account, chainId) }
  const [answer, prices] = await Promise.all([
    fetchJson(latchkey, serverUrl(latchkey, '/v1/convert/quotes', query), signal),
    fetchGasPrices(latchkey, chainId, signal),
  ]).catch((error: unknown) => {
    throw toSwapError(latchkey, request, error)
  })
  const best = parseList(answer, 'quotes')[0]
  if (best === undefined) throw swapError('swap/no-route', { from: from.symbol, to: to.symbol })
  if (!isRecord(best)) throw invalidResponse('quotes')
  const toAmount = readUnits(best['toAmount'])
  const { id, spender, priceImpact } = best
  if (toAmount === undefined || typeof spender !== 'string' || !isOnChain(spender, chainId))
    throw invalidResponse('quotes')
  if (readUnits(best['fromAmount']) !== amount) throw invalidResponse('quotes')
  if (toAmount === 0n) throw swapError('swap/insufficient-liquidity', { from: from.symbol, to: to.symbol })
  return {
    request,
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

async function fetchGasPrices(
  latchkey: Pick<Latchkey, 'networks' | 'events' | 'internal'>,
  chainId: ChainId,
  signal: AbortSignal,
): Promise<GasPrices> {
  const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/convert/gas-price', { chainId }), signal).catch(
    (error: unknown) => {
      if (isUnknownChain(error))
        throw swapError('swap/gas-price-unsupported', { network: networkName(latchkey, chainId) })
      throw error
    },
  )
  const [standard, instant] = isRecord(response)
    ? [readUnits(response['standard']), readUnits(response['instant'])]
    : []
  if (standard === undefined || instant === undefined) throw invalidResponse('gas prices')
  return { standard, instant }
}

/** Wallets require twice the current fee as balance, because the gas price may rise before the transaction is mined. */
function readFee(gas: bigint | undefined, { standard, instant }: GasPrices): SwapFee | undefined {
  if (gas === undefined) return undefined
  const dear = 2n * standard
  return { value: gas * standard, most: gas * (instant > dear ? instant : dear) }
}
