import { parseChainId, type TokenBalance } from '@latchkey/protocol'
import { Type, type Static } from '@sinclair/typebox'
import type { Chain } from '../../kit/chain/chains.ts'
import { toPricedAsset } from '../prices/priceSource.ts'

/** An asset in the format of EIP-7811. */
export type WalletAsset = {
  type: 'NATIVE' | 'ERC20'
  /** `native`, or the token's contract. */
  address: string
  /** In base units, as hex. */
  balance: string
  metadata: { name: string; symbol: string; decimals: number; iconUrl: string; price: number; value?: number }
}

const hex = Type.String({ pattern: '^0x[0-9a-fA-F]{1,16}$' })
const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const assetType = Type.String({ maxLength: 16 })
const maxItems = 100

/** The parameters of `wallet_getAssets` (EIP-7811). */
export const assetsRequestSchema = Type.Object({
  account: address,
  assetFilter: Type.Optional(
    Type.Record(
      hex,
      Type.Array(Type.Object({ address: Type.Union([Type.Literal('native'), address]), type: assetType }), {
        maxItems,
      }),
      { additionalProperties: false },
    ),
  ),
  assetTypeFilter: Type.Optional(Type.Array(assetType, { maxItems })),
  chainFilter: Type.Optional(Type.Array(hex, { maxItems })),
})

export type AssetsRequest = Static<typeof assetsRequestSchema>

/** Formats the id of an EVM chain as hex, as wallets write it. */
function formatHexChainId({ caipNetworkId }: Pick<Chain, 'caipNetworkId'>): string {
  return `0x${BigInt(parseChainId(caipNetworkId).reference).toString(16)}`
}

/** Selects the chains of a request. Named assets override the other filters. */
export function selectAssetChains(
  { assetFilter, chainFilter }: AssetsRequest,
  chains: readonly Chain[],
): readonly Chain[] {
  const own = chains.filter(({ caipNetworkId }) => parseChainId(caipNetworkId).namespace === 'eip155')
  const named = assetFilter === undefined ? chainFilter : Object.keys(assetFilter)
  if (named === undefined) return own
  const ids = new Set(named.map((id) => BigInt(id)))
  return own.filter((chain) => ids.has(BigInt(formatHexChainId(chain))))
}

/** Converts balances to the requested assets by chain, most valuable first. */
export function toWalletAssets(
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
    const asset = toWalletAsset(each)
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

function toWalletAsset(held: TokenBalance): WalletAsset {
  const { name, symbol, iconUrl, price, value, quantity } = held
  const decimals = Number(quantity.decimals)
  const [whole = '0', fraction = ''] = quantity.numeric.split('.')
  const asset = toPricedAsset(held)
  return {
    type: asset === 'native' ? 'NATIVE' : 'ERC20',
    address: asset,
    balance: `0x${BigInt(whole + fraction.padEnd(decimals, '0')).toString(16)}`,
    metadata: { name, symbol, decimals, iconUrl, price, ...(value === undefined ? {} : { value }) },
  }
}
