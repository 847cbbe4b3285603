import { sha256 } from '../kit/secrets/sha256.ts'
import { currencies } from '../api/http/currencies.ts'
import type { Chain } from '../kit/chain/chains.ts'
import type { WalletList } from './walletList.ts'

/** The kinds of pictures. Each has its own ids. */
export type PictureKind = 'wallet' | 'asset' | 'currency' | 'token'

/** The pictures of everything that the server lists. */
export type Pictures = {
  /** The SVG for an id, if there is one. */
  find(kind: PictureKind, id: string): string | undefined
}

/** Draws a picture for each wallet, network, currency and token that the server knows. */
export function createPictures({ wallets, chains }: { wallets: WalletList; chains: readonly Chain[] }): Pictures {
  const networks = new Map<string, string>(chains.map(({ caipNetworkId, name }) => [caipNetworkId, name]))
  const symbols = new Set(chains.flatMap(({ nativeCurrency, tokens }) => [nativeCurrency, ...tokens].map(symbolOf)))
  const names: { [kind in PictureKind]: (id: string) => string | undefined } = {
    wallet: (id) => wallets.byImage(id)?.name,
    asset: (id) => wallets.byImage(id)?.name ?? networks.get(id),
    currency: (code) => (currencies.includes(code.toLowerCase()) ? code.toUpperCase() : undefined),
    token: (symbol) => (symbols.has(symbol) ? symbol : undefined),
  }
  return {
    find(kind, id) {
      const name = names[kind](id)
      return name === undefined ? undefined : drawTile(name)
    },
  }
}

function symbolOf({ symbol }: { symbol: string }): string {
  return symbol
}

/** Draws a tile with initials and a colour derived from the name, because third-party logos are protected. */
function drawTile(name: string): string {
  const hue = (sha256(name).readUInt16BE(0) * 360) >> 16
  const words = name
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const initials = words.map((word) => [...word][0] ?? '').slice(0, 2)
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80" viewBox="0 0 80 80">',
    `<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 62% 52%)"/>`,
    `<stop offset="1" stop-color="hsl(${(hue + 24) % 360} 66% 40%)"/></linearGradient></defs>`,
    '<rect width="80" height="80" fill="url(#g)"/>',
    '<text x="40" y="41" fill="#fff" font-family="system-ui, sans-serif" font-size="30" font-weight="650" ',
    `text-anchor="middle" dominant-baseline="central">${initials.join('').toUpperCase()}</text></svg>`,
  ].join('')
}
