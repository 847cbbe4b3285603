import type { HistoryItem, HistoryTransfer } from '@latchkey/protocol'
import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../kit/chain/chains.ts'
import { errorMessage } from '../../kit/runtime/errorMessage.ts'
import { pause } from '../../kit/runtime/pause.ts'
import { toAssetDayKey, toUtcDay, type AssetDay, type PastPriceSource } from '../prices/past/pastPriceSource.ts'
import { toPricedAsset } from '../prices/priceSource.ts'

/** Adds to each transfer its value at the price of its day. Values that are not known in time stay `null`. */
export type AddValues = (
  items: readonly HistoryItem[],
  currency: string,
  log: FastifyBaseLogger,
) => Promise<readonly HistoryItem[]>

export type AddValuesDependencies = {
  chains: readonly Chain[]
  pastPrices: PastPriceSource
  /**
   * Timeout of a history that waits for prices, in milliseconds. All prices are loaded, so that the next request finds
   * them.
   */
  waitMs?: number
}

/** The most assets and days of one page. Those of the newest transactions come first. */
const maxAssetDays = 400
const usualWaitMs = 2_000

/** Prices by chain, and there by asset and day. */
type ChainPrices = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Creates the function that adds values to a history. */
export function createAddValues({ chains, pastPrices, waitMs = usualWaitMs }: AddValuesDependencies): AddValues {
  return async (items, currency, log) => {
    const wanted = listAssetDays(items)
    if (wanted.size === 0) return items
    const loaded = await Promise.all(
      [...wanted].map(async ([chainId, assetDays]) => {
        const chain = chains.find(({ caipNetworkId }) => caipNetworkId === chainId)
        if (chain === undefined) return undefined
        const loading = pastPrices.pastPrices(chain, assetDays, currency).catch((error: unknown) => {
          log.warn({ chain: chainId, reason: errorMessage(error) }, 'no past prices')
          return undefined
        })
        const prices = await Promise.race([loading, pause(waitMs)])
        return prices === undefined ? undefined : ([chainId, prices] as const)
      }),
    )
    const prices: ChainPrices = new Map(loaded.filter((each) => each !== undefined))
    return items.map((item) => ({
      ...item,
      transfers: item.transfers.map((transfer) => addValue(item, transfer, prices)),
    }))
  }
}

/** Lists the assets and days of a page by chain, without duplicates. */
function listAssetDays(items: readonly HistoryItem[]): ReadonlyMap<string, readonly AssetDay[]> {
  const perChain = new Map<string, Map<string, AssetDay>>()
  let count = 0
  for (const item of items) {
    const { chain } = item.metadata
    if (chain === null) continue
    const known = perChain.get(chain) ?? new Map<string, AssetDay>()
    for (const transfer of item.transfers) {
      const assetDay = getAssetDay(item, transfer)
      if (assetDay === undefined || known.has(toAssetDayKey(assetDay)) || count >= maxAssetDays) continue
      count += 1
      known.set(toAssetDayKey(assetDay), assetDay)
      perChain.set(chain, known)
    }
  }
  return new Map([...perChain].map(([chain, known]) => [chain, [...known.values()]]))
}

/** NFTs have no price. A price of spam would make it look like money. */
function getAssetDay(
  { metadata }: HistoryItem,
  { fungible_info: fungible, nft_info: nft }: HistoryTransfer,
): AssetDay | undefined {
  if (fungible === null || nft !== null || fungible.flags?.is_spam === true) return undefined
  return { asset: toPricedAsset(fungible), day: toUtcDay(Date.parse(metadata.minedAt)) }
}

function addValue(item: HistoryItem, transfer: HistoryTransfer, prices: ChainPrices): HistoryTransfer {
  const assetDay = getAssetDay(item, transfer)
  const known = item.metadata.chain === null ? undefined : prices.get(item.metadata.chain)
  const price = assetDay === undefined ? undefined : known?.get(toAssetDayKey(assetDay))
  if (price === undefined) return transfer
  return { ...transfer, price, value: Number(transfer.quantity.numeric) * price }
}
