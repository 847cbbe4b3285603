/** Coin types of chains of eip155 have this bit (ENSIP-11). */
const evmBit = 0x8000_0000

/**
 * The coin type of a chain by its number (ENSIP-11); undefined where it has none.
 *
 * @example coinTypeOf(10) // 2147483658
 */
export function coinTypeOf(chainId: number): number | undefined {
  if (chainId === 1) return mainnetCoinType
  return Number.isInteger(chainId) && chainId > 0 && chainId < evmBit ? evmBit + chainId : undefined
}

/** The coin type of Ethereum, which every registered name has. */
export const mainnetCoinType = 60
