import type { BrandIcons } from './brandIcons.ts'

/** A token of a configured chain. Native currencies have no address. */
export type PicturedToken = { chainId: string; symbol: string; address?: string; iconUrl?: string }

/** Finds the pictures of tokens. */
export type TokenIcons = {
  /** Returns the URL of a token's picture: the operator's, or that of a known token at this server; otherwise ''. */
  urlOf(token: PicturedToken): string
}

/** Addresses that represent native currencies. */
const nativeAddresses: readonly string[] = [
  `0x${'e'.repeat(40)}`,
  'So11111111111111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
]

/**
 * Creates the finder of token pictures. Tokens are recognised by their address only, because every contract may choose the
 * symbol of a well-known token.
 *
 * @param place the URL at which browsers reach this server
 */
export function createTokenIcons({ icons, place }: { icons: BrandIcons; place: { pictures: string } }): TokenIcons {
  return {
    urlOf({ chainId, symbol, address, iconUrl = '' }) {
      if (iconUrl !== '' || place.pictures === '') return iconUrl
      const isNative = address === undefined || nativeAddresses.includes(address)
      const id = isNative ? symbol.toUpperCase() : tokenIconId(chainId, address)
      if (icons.find('tokens', id) === undefined) return ''
      return `${place.pictures}/public/getTokenImage/${encodeURIComponent(id)}`
    },
  }
}

/** Returns the id of a token's picture. Addresses of EVM chains are case-insensitive. */
export function tokenIconId(chainId: string, address: string): string {
  return `${chainId}:${address.startsWith('0x') ? address.toLowerCase() : address}`
}
