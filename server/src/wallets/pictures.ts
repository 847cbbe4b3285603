import { sha256 } from '../kit/secrets/sha256.ts'
import { currencies } from '../api/http/currencies.ts'
import type { Chain } from '../kit/chain/chains.ts'
import type { BrandIcons, Picture } from './icons/brandIcons.ts'
import { tokenIconId } from './icons/tokenIcons.ts'
import type { WalletList } from './walletList.ts'

/** The kinds of pictures. Each has its own ids. */
export type PictureKind = 'wallet' | 'asset' | 'currency' | 'token'

/** The pictures of everything that the server lists. */
export type Pictures = {
  /** The picture for an id, if there is one. */
  find(kind: PictureKind, id: string): Picture | undefined
}

type PicturesDependencies = { wallets: WalletList; chains: readonly Chain[]; icons: BrandIcons }

/**
 * Finds the brand icons of wallets, networks and tokens. Everything else that the server lists gets a tile with its
 * initials.
 */
export function createPictures({ wallets, chains, icons }: PicturesDependencies): Pictures {
  const networks = new Map<string, string>(chains.map(({ caipNetworkId, name }) => [caipNetworkId, name]))
  const symbols = new Set(chains.flatMap(({ nativeCurrency, tokens }) => [nativeCurrency, ...tokens].map(symbolOf)))
  const names: { [kind in PictureKind]: (id: string) => string | undefined } = {
    wallet: (id) => wallets.findByImageId(id)?.name,
    asset: (id) => wallets.findByImageId(id)?.name ?? networks.get(id),
    currency: (code) => (currencies.includes(code.toLowerCase()) ? code.toUpperCase() : undefined),
    token: (symbol) => (symbols.has(symbol) ? symbol : undefined),
  }
  const walletIcon = (id: string): Picture | undefined => {
    const slug = wallets.findSlugByImageId(id)
    return slug === undefined ? undefined : icons.find('wallets', slug)
  }
  const brands: { [kind in PictureKind]: (id: string) => Picture | undefined } = {
    wallet: walletIcon,
    asset: (id) => walletIcon(id) ?? icons.find('networks', id),
    currency: () => undefined,
    token: (id) => icons.find('tokens', listedTokenId(chains, id) ?? id),
  }
  return {
    find(kind, id) {
      const brand = brands[kind](id)
      const name = brand === undefined ? names[kind](id) : undefined
      return name === undefined ? brand : { type: 'image/svg+xml', body: drawTile(name) }
    },
  }
}

/** Finds the listed token with a symbol. A native currency has precedence. */
function listedTokenId(chains: readonly Chain[], symbol: string): string | undefined {
  if (chains.some(({ nativeCurrency }) => nativeCurrency.symbol === symbol)) return undefined
  for (const { caipNetworkId, tokens } of chains) {
    const token = tokens.find((each) => each.symbol === symbol)
    if (token !== undefined) return tokenIconId(caipNetworkId, token.address)
  }
  return undefined
}

function symbolOf({ symbol }: { symbol: string }): string {
  return symbol
}

/** Draws a tile with initials and a colour derived from the name. */
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
