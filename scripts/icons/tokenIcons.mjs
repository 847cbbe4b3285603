import { renderWebp, toSvgUri } from './renderWebp.mjs'

/**
 * The networks whose token addresses are listed, by the name that the source uses. Others have no EVM or Solana addresses, or
 * the source's chain id is not the one of the network in the registry of EIP-155 (XDC).
 */
const chains = {
  ethereum: 'eip155:1',
  'optimistic-ethereum': 'eip155:10',
  cronos: 'eip155:25',
  telos: 'eip155:40',
  'binance-smart-chain': 'eip155:56',
  syscoin: 'eip155:57',
  'okex-chain': 'eip155:66',
  meter: 'eip155:82',
  tomochain: 'eip155:88',
  xdai: 'eip155:100',
  velas: 'eip155:106',
  thundercore: 'eip155:108',
  fuse: 'eip155:122',
  'huobi-token': 'eip155:128',
  'polygon-pos': 'eip155:137',
  'manta-pacific': 'eip155:169',
  opbnb: 'eip155:204',
  fantom: 'eip155:250',
  boba: 'eip155:288',
  'kucoin-community-chain': 'eip155:321',
  zksync: 'eip155:324',
  pulsechain: 'eip155:369',
  astar: 'eip155:592',
  'metis-andromeda': 'eip155:1088',
  'polygon-zkevm': 'eip155:1101',
  'step-network': 'eip155:1234',
  moonbeam: 'eip155:1284',
  moonriver: 'eip155:1285',
  'milkomeda-cardano': 'eip155:2001',
  ronin: 'eip155:2020',
  kava: 'eip155:2222',
  mantle: 'eip155:5000',
  canto: 'eip155:7700',
  'klay-token': 'eip155:8217',
  base: 'eip155:8453',
  evmos: 'eip155:9001',
  smartbch: 'eip155:10000',
  energi: 'eip155:39797',
  'arbitrum-one': 'eip155:42161',
  'arbitrum-nova': 'eip155:42170',
  celo: 'eip155:42220',
  avalanche: 'eip155:43114',
  'defi-kingdoms-blockchain': 'eip155:53935',
  linea: 'eip155:59144',
  blast: 'eip155:81457',
  chiliz: 'eip155:88888',
  scroll: 'eip155:534352',
  aurora: 'eip155:1313161554',
  'harmony-shard-0': 'eip155:1666600000',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
}

/** Longer drawings are stored as WebP, like those of wallets. */
const maxLength = 2_500
const pixels = 56

/**
 * Lists the icons of native currencies by symbol, and those of tokens by CAIP-2 id and address. A symbol alone
 * never selects the icon of a token, because every contract may choose any symbol.
 *
 * @param {import('./iconSources.mjs').IconSources} sources
 * @param {readonly import('./iconSources.mjs').BrandIcon[]} networks
 * @param {import('playwright').Page} page
 * @returns {Promise<readonly import('./iconSources.mjs').BrandIcon[]>} the largest tokens by market value first
 */
export async function listTokenIcons({ tokens, drawing }, networks, page) {
  const ranked = tokens.toSorted((a, b) => rankOf(a) - rankOf(b))
  // The source still names Polygon's former currency.
  const natives = new Set([
    'pol',
    ...networks.flatMap(({ native }) => (native === undefined ? [] : [native.toLowerCase()])),
  ])
  const claims = countClaims(ranked)
  /** @type {Set<string>} */
  const symbols = new Set()
  /** @type {import('./iconSources.mjs').BrandIcon[]} */
  const icons = []
  for (const token of ranked) {
    const symbol = token.symbol.toUpperCase()
    const isNative = (natives.has(token.id) || natives.has(symbol.toLowerCase())) && !symbols.has(symbol)
    // An address that the source gives to several tokens proves nothing.
    const assets = assetsOf(token).filter((asset) => claims.get(asset) === 1)
    const keys = [...(isNative ? [symbol] : []), ...assets]
    const drawn = keys.length === 0 ? undefined : drawing('tokens', token.filePath.replace('token:', ''))
    if (drawn === undefined) continue
    if (isNative) symbols.add(symbol)
    const { source, svg } = drawn
    const picture = svg.length > maxLength ? { webp: await renderWebp(page, toSvgUri(svg), pixels) } : { svg }
    icons.push({ id: token.id, for: keys, source, ...picture })
  }
  return icons
}

/** @param {readonly import('./iconSources.mjs').SourceToken[]} tokens */
function countClaims(tokens) {
  /** @type {Map<string, number>} */
  const claims = new Map()
  for (const asset of tokens.flatMap(assetsOf)) claims.set(asset, (claims.get(asset) ?? 0) + 1)
  return claims
}

/** @param {import('./iconSources.mjs').SourceToken} token */
function rankOf({ marketCapRank }) {
  return marketCapRank ?? Number.MAX_SAFE_INTEGER
}

/**
 * The tokens that an icon stands for, as CAIP-2 id and address.
 *
 * @param {import('./iconSources.mjs').SourceToken} token
 */
function assetsOf({ addresses = {} }) {
  return Object.entries(chains).flatMap(([network, chain]) => {
    const address = addresses[network] ?? ''
    if (/^0x[0-9a-fA-F]{40}$/.test(address) && chain.startsWith('eip155:')) return [`${chain}:${address.toLowerCase()}`]
    return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address) && chain.startsWith('solana:') ? [`${chain}:${address}`] : []
  })
}
