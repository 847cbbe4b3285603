/** Coin types of EVM chains start here (ENSIP-11). */
const evmBit = 0x8000_0000
const mainnet = 60

/** Gets the EVM chain id of a coin type (ENSIP-11), or `undefined` for other coins. */
export function getCoinTypeChainId(coinType: number): number | undefined {
  if (coinType === mainnet) return 1
  return Number.isInteger(coinType) && coinType > evmBit && coinType < 2 * evmBit ? coinType - evmBit : undefined
}

/** The coin type of Ethereum, which every name has. */
export const mainnetCoinType = mainnet

/** Gets the coin type of the second label of a reverse name (ENSIP-19), or `undefined` for the default of all chains. */
export function parseReverseCoinType(label: string): number | undefined {
  if (label === 'addr') return mainnet
  return /^[0-9a-f]{1,8}$/.test(label) ? Number.parseInt(label, 16) : undefined
}
