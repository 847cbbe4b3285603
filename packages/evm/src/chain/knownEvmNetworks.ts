/** The name of a network, and its currency if that is not ether. */
type KnownNetwork = readonly [name: string, currency?: string]

/**
 * Well-known networks by chain id, so that the user reads a name if the wallet is on one that the app does not offer.
 * They can't be read.
 */
export const knownEvmNetworks: { readonly [chainId: number]: KnownNetwork | undefined } = {
  1: ['Ethereum'],
  10: ['OP Mainnet'],
  25: ['Cronos', 'CRO'],
  56: ['BNB Smart Chain', 'BNB'],
  100: ['Gnosis', 'XDAI'],
  130: ['Unichain'],
  137: ['Polygon', 'POL'],
  146: ['Sonic', 'S'],
  250: ['Fantom', 'FTM'],
  324: ['ZKsync Era'],
  480: ['World Chain'],
  1284: ['Moonbeam', 'GLMR'],
  1868: ['Soneium'],
  5000: ['Mantle', 'MNT'],
  8217: ['Kaia', 'KAIA'],
  8453: ['Base'],
  17000: ['Holesky'],
  42161: ['Arbitrum One'],
  42220: ['Celo', 'CELO'],
  43114: ['Avalanche', 'AVAX'],
  57073: ['Ink'],
  59144: ['Linea'],
  80094: ['Berachain', 'BERA'],
  81457: ['Blast'],
  84532: ['Base Sepolia'],
  421614: ['Arbitrum Sepolia'],
  534352: ['Scroll'],
  560048: ['Hoodi'],
  7777777: ['Zora'],
  11155111: ['Sepolia'],
  11155420: ['OP Sepolia'],
}
