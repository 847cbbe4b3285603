const namespaces = ['eip155', 'solana', 'bip122', 'polkadot']
/** Larger drawings are not worth their bytes. */
const maxLength = 6_000

/** Test networks share the icon of their network, as wallets show them. */
const testNetworks = {
  'eip155:1': ['eip155:11155111', 'eip155:17000', 'eip155:560048'],
  'eip155:10': ['eip155:11155420'],
  'eip155:56': ['eip155:97'],
  'eip155:137': ['eip155:80002'],
  'eip155:324': ['eip155:300'],
  'eip155:8453': ['eip155:84532'],
  'eip155:42161': ['eip155:421614'],
  'eip155:43114': ['eip155:43113'],
  'eip155:59144': ['eip155:59141'],
  'eip155:534352': ['eip155:534351'],
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': [
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  ],
  'bip122:000000000019d6689c085ae165831e93': [
    'bip122:000000000933ea01ad0ee984209779ba',
    'bip122:00000008819873e925422c1ff0f99f7c',
    'bip122:00000000da84f2bafbbc53dee25a72ae',
    'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
  ],
}

/**
 * Lists the icons of the networks whose namespaces we support, by CAIP-2 id.
 *
 * @param {import('./iconSources.mjs').IconSources} sources
 * @returns {readonly import('./iconSources.mjs').BrandIcon[]}
 */
export function listNetworkIcons({ networks, drawing }) {
  /** @type {Record<string, readonly string[]>} */
  const related = testNetworks
  const own = new Set(networks.map(({ caip2id }) => caip2id))
  /** @type {Set<string>} */
  const taken = new Set()
  /** @type {Map<string, import('./iconSources.mjs').BrandIcon>} */
  const icons = new Map()
  for (const { caip2id = '', filePath, nativeCoinId } of networks) {
    if (!namespaces.includes(caip2id.split(':')[0] ?? '') || taken.has(caip2id)) continue
    const id = filePath.replace('network:', '')
    const others = (related[caip2id] ?? []).filter((other) => !own.has(other))
    const known = icons.get(id)
    taken.add(caip2id)
    if (known === undefined) {
      const drawn = drawing('networks', id)
      if (drawn === undefined || drawn.svg.length > maxLength) continue
      icons.set(id, { id, for: [caip2id, ...others], ...drawn, native: nativeCoinId })
    } else known.for.push(caip2id, ...others)
  }
  return [...icons.values()]
}
