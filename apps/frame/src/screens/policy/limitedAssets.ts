import type { FrameNetwork } from '../../frameConfig.ts'

/** The native currency of a network, as the signing policy names it. */
export type LimitedAsset = {
  readonly asset: string
  readonly network: string
  readonly symbol: string
  readonly decimals: number
}

/** Lists the assets that a policy can limit. The clusters of Solana count together, because a signature is valid on each. */
export function listLimitedAssets(networks: readonly FrameNetwork[]): readonly LimitedAsset[] {
  const assets = networks.map(({ chainId, name, nativeCurrency: { symbol, decimals } }) => ({
    asset: assetOf(chainId),
    network: name,
    symbol,
    decimals,
  }))
  return assets.filter(({ asset }, at) => assets.findIndex((each) => each.asset === asset) === at)
}

/** Returns the name of a network's native currency in a policy. */
function assetOf(chainId: string): string {
  return chainId.startsWith('solana:') ? 'solana' : chainId
}

/**
 * Parses an amount as the user writes it, with a point or a comma.
 *
 * @returns base units; `undefined` if it is not an amount of this precision
 */
export function parseEnteredAmount(text: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,40})(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  if (whole === '' || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Formats base units for an input. */
export function formatInput(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const end = digits.length - decimals
  const fraction = digits.slice(end).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, end) : `${digits.slice(0, end)}.${fraction}`
}

/**
 * Parses the address of a receiver.
 *
 * @param asset asset of the network
 * @returns the receiver as a policy names it; `undefined` for another address
 */
export function parseReceiver(asset: string, text: string): string | undefined {
  const address = text.trim()
  if (asset === 'solana') return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address) ? `solana:${address}` : undefined
  return /^0x[\da-f]{40}$/i.test(address) ? `${asset}:${address.toLowerCase()}` : undefined
}
