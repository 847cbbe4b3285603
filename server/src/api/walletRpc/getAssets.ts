import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import { z } from 'zod'
import type { Chain } from '../../kit/chains.ts'
import { assetOf } from '../prices/priceSource.ts'

/** An asset as EIP-7811 tells it. */
export type WalletAsset = {
  type: 'NATIVE' | 'ERC20'
  /** `native`, or the token's contract. */
  address: string
  /** In base units, as hex. */
  balance: string
  metadata: { name: string; symbol: string; decimals: number; iconUrl: string; price: number; value?: number }
}

const hex = z.string().regex(/^0x[0-9a-fA-F]{1,16}$/)
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const most = 100

/** What is asked of `wallet_getAssets`. */
export const assetsRequest = z.object({
  account: address,
  assetFilter: z
    .record(
      hex,
      z.array(z.object({ address: z.union([z.literal('native'), address]), type: z.string().max(16) })).max(most),
    )
    .optional(),
  assetTypeFilter: z.array(z.string().max(16)).max(most).optional(),
  chainFilter: z.array(hex).max(most).optional(),
})

export type AssetsRequest = z.infer<typeof assetsRequest>

/** A chain's id as wallets write it. */
function hexChainId({ caipNetworkId }: Pick<Chain, 'caipNetworkId'>): string {
  return `0x${BigInt(parseChainId(caipNetworkId).reference).toString(16)}`
}

/** The chains of a request: when assets are named, theirs, whatever the other filters say. */
export function chainsOf({ assetFilter, chainFilter }: AssetsRequest, chains: readonly Chain[]): readonly Chain[] {
  const own = chains.filter(({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'eip155')
  const named = assetFilter === undefined ? chainFilter : Object.keys(assetFilter)
  if (named === undefined) return own
  const ids = new Set(named.map((id) => BigInt(id)))
  return own.filter((chain) => ids.has(BigInt(hexChainId(chain))))
}

/** The assets that a request is about, by their chain, those that are worth most first. */
export function assetsOf(
  { assetFilter, assetTypeFilter }: AssetsRequest,
  held: readonly TokenBalance[],
): Readonly<Record<string, readonly WalletAsset[]>> {
  const named = new Map(
    Object.entries(assetFilter ?? {}).map(([id, list]) => [
      String(BigInt(id)),
      new Set(list.map((each) => each.address.toLowerCase())),
    ]),
  )
  const types = assetTypeFilter?.map((type) => type.toUpperCase())
  const found: Record<string, WalletAsset[]> = {}
  for (const each of held.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))) {
    const asset = toAsset(each)
    const reference = each.chainId.slice(each.chainId.indexOf(':') + 1)
    const wanted =
      assetFilter === undefined
        ? (types?.includes(asset.type) ?? true)
        : named.get(reference)?.has(asset.address.toLowerCase())
    if (wanted !== true) continue
    const chain = `0x${BigInt(reference).toString(16)}`
    found[chain] = [...(found[chain] ?? []), asset]
  }
  return found
}

function toAsset(held: TokenBalance): WalletAsset {
  const { name, symbol, iconUrl, price, value, quantity } = held
  const decimals = Number(quantity.decimals)
  const [whole = '0', fraction = ''] = quantity.numeric.split('.')
  const asset = assetOf(held)
  return {
    type: asset === 'native' ? 'NATIVE' : 'ERC20',
    address: asset,
    balance: `0x${BigInt(whole + fraction.padEnd(decimals, '0')).toString(16)}`,
    metadata: { name, symbol, decimals, iconUrl, price, ...(value === undefined ? {} : { value }) },
  }
}
