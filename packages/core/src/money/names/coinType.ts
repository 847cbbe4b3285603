/** The bit that marks coin types of eip155 chains (ENSIP-11). */
const evmBit = 0x8000_0000

/**
 * Returns the coin type of a chain by its id (ENSIP-11), or undefined if it has none.
 *
 * @example coinTypeOf(10) // 2147483658
 */
export function coinTypeOf(chainId: number): number | undefined {
  if (chainId === 1) return mainnetCoinType
  return Number.isInteger(chainId) && chainId > 0 && chainId < evmBit ? evmBit + chainId : undefined
}

/** The coin type of Ethereum, which every registered name has. */
export const mainnetCoinType = 60
