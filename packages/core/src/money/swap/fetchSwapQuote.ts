import { isRecord, type ChainId } from '@latchkey/protocol'
import { fetchJson, serverUrl } from '../../api/fetchJson.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { findNetwork } from '../../state/getAccount.ts'
import { accountOn, isHop, isOnChain, parseList, invalidResponse, readUnits } from './responses.ts'
import { isUnknownChain, networkName, toSwapError } from './toSwapError.ts'
import { swapError } from './swapError.ts'
import type { SwapFee, SwapQuoteRequest, SwapQuote, SwapState, SwapToken } from './state.ts'

/** The assumed size of a swap's data. A route over two pools has about 500 bytes. */
const swapDataBytes = 800

/** The placeholder address of the native currency. */
const nativeAddress = `0x${'e'.repeat(40)}`

/** The tokens of a network that can be swapped, and if their output can be exact. */
export type SwapMarket = Pick<SwapState, 'tokens' | 'quotesOutput'>

/**
 * Fetches the tokens that can be swapped on a network, and if the amount to receive can be exact.
 *
 * @throws LatchkeyError `swap/unsupported`, and the errors of a server request
 */
export async function fetchSwapTokens(
  latchkey: Pick<Latchkey, 'networks' | 'events' | 'internal'>,
  chainId: ChainId,
): Promise<SwapMarket> {
  const response = await fetchJson(latchkey, serverUrl(latchkey, '/v1/convert/tokens', { chainId })).catch(
    (error: unknown) => {
      if (isUnknownChain(error)) throw swapError('swap/unsupported', { network: networkName(latchkey, chainId) })
      throw error
    },
  )
  const tokens = parseList(response, 'tokens').flatMap((entry) => readToken(entry, chainId))
  if (tokens.length === 0) throw swapError('swap/unsupported', { network: networkName(latchkey, chainId) })
  return { tokens, quotesOutput: isRecord(response) && response['exactOutput'] === true }
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
 * @throws LatchkeyError `swap/no-route`, `swap/insufficient-liquidity`, `swap/exact-output-unsupported`,
 *   `swap/quote-failed`, `swap/gas-price-unsupported`, `http/unreachable`; the signal's reason when it was aborted.
 */
export async function fetchSwapQuote(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'events' | 'internal'>,
  request: SwapQuoteRequest,
  signal: AbortSignal,
): Promise<SwapQuote> {
  const { account, chainId, from, to, amount, exact } = request
  const at = latchkey.internal.clock.now()
  const query = {
    amount: String(amount),
    from: from.id,
    to: to.id,
    userAddress: accountOn(account, chainId),
    ...(exact === 'to' && { exact: 'output' }),
  }
  const [quotes, prices, dataFee] = await Promise.all([
    fetchJson(latchkey, serverUrl(latchkey, '/v1/convert/quotes', query), signal),
    fetchGasPrices(latchkey, chainId, signal),
    // Without the data fee of a rollup, the fee would be too low, so it is unknown then.
    estimateDataFee(latchkey, chainId).catch(() => undefined),
  ]).catch((error: unknown) => {
    throw toSwapError(latchkey, request, error)
  })
  const best = parseList(quotes, 'quotes')[0]
  if (best === undefined) throw swapError('swap/no-route', { from: from.symbol, to: to.symbol })
  if (!isRecord(best)) throw invalidResponse('quotes')
  const [fromAmount, toAmount] = [readUnits(best['fromAmount']), readUnits(best['toAmount'])]
  const { id, spender, priceImpact } = best
  if (fromAmount === undefined || toAmount === undefined) throw invalidResponse('quotes')
  if (typeof spender !== 'string' || !isOnChain(spender, chainId)) throw invalidResponse('quotes')
  if (fromAmount === 0n || (exact === 'from' ? fromAmount : toAmount) !== amount) throw invalidResponse('quotes')
  if (toAmount === 0n) throw swapError('swap/insufficient-liquidity', { from: from.symbol, to: to.symbol })
  return {
    request,
    id: typeof id === 'string' ? id : undefined,
    fromAmount,
    toAmount,
    spender,
    fee: readFee(readUnits(best['gas']), prices, dataFee),
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

/** Returns the L2 data fee of a swap. Its data is built later, so a size is assumed that few routes exceed. */
async function estimateDataFee(
  latchkey: Pick<Latchkey, 'adapters' | 'networks'>,
  chainId: ChainId,
): Promise<bigint | undefined> {
  const network = findNetwork(latchkey, chainId)
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const transfers = await adapter?.transfers?.()
  if (network === undefined || transfers?.estimateDataFee === undefined) return 0n
  return transfers.estimateDataFee(network, swapDataBytes)
}

/** Wallets require twice the current fee as balance, because the gas price may rise before the transaction is mined. */
function readFee(
  gas: bigint | undefined,
  { standard, instant }: GasPrices,
  dataFee: bigint | undefined,
): SwapFee | undefined {
  if (gas === undefined || dataFee === undefined) return undefined
  const dear = 2n * standard
  return { value: gas * standard + dataFee, most: gas * (instant > dear ? instant : dear) + 2n * dataFee }
}
