/**
 * Decisions about entries of packages, each made by hand.
 */

/** Entries that belong to a listed wallet with another name, by slug and package. An empty id means that there is none. */
export const matches = {
  'blockchain-com': { thirdweb: 'com.blockchain.login' },
  coinbase: { thirdweb: 'com.coinbase.wallet', rainbowkit: 'coinbase' },
  gate: { thirdweb: 'net.gateweb3' },
  now: { thirdweb: 'app.walletnow' },
  bridge: { thirdweb: 'com.mtpelerin' },
  status: { thirdweb: 'app.status' },
  opera: { thirdweb: 'com.opera' },
  // Other brands that have the same word in their name or address.
  safe: { thirdweb: 'global.safe' },
  nova: { thirdweb: 'io.novawallet', luno: 'nova' },
  fuse: { thirdweb: '' },
  ready: { rainbowkit: '' },
  flow: { thirdweb: 'com.flowfoundation.wallet' },
}

/**
 * Facts of packages that are not used.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const refusedFacts = {
  // Placeholders of a directory, not of the wallet.
  leather: ['rdns'],
  '1inch': ['mobile'],
  // Link to a path that only the maker's own page uses.
  zengo: ['mobile'],
  // The old wallet of the brand.
  status: ['rdns'],
}

/** Entries of thirdweb that are not listed: examples, pages without a maker, and names that could be taken for another brand. */
export const unusable = [
  'My Wallet',
  'React Native Sample Wallet',
  'Swift Sample Wallet',
  'Flutter Sample Wallet',
  'Kotlin Sample Wallet',
  'Modular Wallet Prod',
  'React Wallet',
  'Trust Asset Wallet',
  'MetaWallet',
  'SafeWallet',
  'NOVA',
  'NullTrace',
  'Super Wallet',
  'Cryptic',
  'NixWallet',
  'Micet',
  'SafeMoon',
  'thirdweb',
  'Base Account',
  'PureWallet app',
  'Yo Wallet',
]

/** Entries of thirdweb whose wallets are for chains of other namespaces. */
export const otherChains = [
  'Freighter',
  'Scopuly',
  'Keeper',
  'HERE Wallet',
  'HOT Wallet',
  'Alephium Wallet',
  'Concordium',
  'HashPack',
  'HashPort Wallet',
  'Kabila',
  'SaucerSwap Wallet',
  'AssetGuard',
  'BankSocial',
  'Dropp',
  'Blade Wallet',
  'Joey Wallet',
  'Girin Wallet',
  'VeWorld Mobile',
  'Qubic Wallet',
  'Canton Wallet by Send',
  'Mango',
  'WebAuth',
  'Puzzle Wallet',
  'Impact Wallet',
  'plug',
  'Me Wallet',
  'Earth Wallet',
  'Superhero Wallet',
  'DIAM Wallet',
  'Neon Wallet',
  'Sirius MX',
  'Nodle',
  'DIDWallet',
  'LikerLand App',
  'Locker Protocol Wallet',
  'Scramble',
  'Altme',
  'helix id',
  'Plumaa ID',
  'Arianee Wallet',
]
