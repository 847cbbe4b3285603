/** The networks whose token addresses are listed, by the name that the source uses. */
const chains = {
  ethereum: 'eip155:1',
  'optimistic-ethereum': 'eip155:10',
  'binance-smart-chain': 'eip155:56',
  xdai: 'eip155:100',
  'polygon-pos': 'eip155:137',
  zksync: 'eip155:324',
  base: 'eip155:8453',
  'arbitrum-one': 'eip155:42161',
  celo: 'eip155:42220',
  avalanche: 'eip155:43114',
  linea: 'eip155:59144',
  scroll: 'eip155:534352',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
}

const maxLength = 2_500
/** The room for all token icons together. */
const maxTotalLength = 800_000

/**
 * Lists the icons of native currencies by symbol, and those of the largest tokens by CAIP-2 id and address. A symbol alone
 * never selects the icon of a token, because every contract may choose any symbol.
 *
 * @param {import('./iconSources.mjs').IconSources} sources
 * @param {readonly import('./iconSources.mjs').BrandIcon[]} networks
 * @returns {readonly import('./iconSources.mjs').BrandIcon[]}
 */
export function listTokenIcons({ tokens, drawing }, networks) {
  const ranked = tokens.toSorted((a, b) => rankOf(a) - rankOf(b))
  // The source still names Polygon's former currency.
  const natives = new Set([
    'pol',
    ...networks.flatMap(({ native }) => (native === undefined ? [] : [native.toLowerCase()])),
  ])
  /** @type {Set<string>} */
  const symbols = new Set()
  /** @type {Map<string, import('./iconSources.mjs').BrandIcon>} */
  const icons = new Map()
  let total = 0
  for (const token of ranked) {
    const symbol = token.symbol.toUpperCase()
    const isNative = (natives.has(token.id) || natives.has(symbol.toLowerCase())) && !symbols.has(symbol)
    const keys = [...(isNative ? [symbol] : []), ...assetsOf(token)]
    const drawn = keys.length === 0 ? undefined : drawing('tokens', token.filePath.replace('token:', ''))
    if (drawn === undefined || (!isNative && drawn.svg.length > maxLength)) continue
    if (!isNative && total + drawn.svg.length > maxTotalLength) continue
    if (isNative) symbols.add(symbol)
    total += drawn.svg.length
    icons.set(token.id, { id: token.id, for: keys, ...drawn })
  }
  return [...icons.values()]
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
