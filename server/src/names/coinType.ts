/** Coin types of chains of eip155 begin here (ENSIP-11). */
const evmBit = 0x8000_0000
const mainnet = 60

/** The chain of eip155 that a coin type stands for (ENSIP-11); undefined when it is of another family. */
export function chainOfCoinType(coinType: number): number | undefined {
  if (coinType === mainnet) return 1
  return Number.isInteger(coinType) && coinType > evmBit && coinType < 2 * evmBit ? coinType - evmBit : undefined
}

/** The coin type of Ethereum, which a name has whatever chain it was registered on. */
export const mainnetCoinType = mainnet
