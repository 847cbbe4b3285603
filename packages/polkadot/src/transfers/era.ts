/** The limits of the period of a mortal era, in blocks. */
const limits = { least: 4, most: 256 } as const

/**
 * Returns the number of blocks in which a transaction is valid: a power of two, at most 256, for which the chain still
 * remembers the hash of its first block.
 *
 * @param blockHashCount the number of block hashes that the chain remembers
 */
export function choosePeriod(blockHashCount: number): number {
  const most = Math.min(limits.most, Math.max(limits.least, blockHashCount))
  return 2 ** Math.floor(Math.log2(most))
}

/**
 * Encodes the era of a transaction that is valid for a number of blocks from a block on (`sp_runtime::generic::Era`).
 *
 * @param birth the number of the block
 * @param period the number of blocks: a power of two from 4 to 4,096
 * @returns two bytes
 * @example encodeEra(42n, 64) // 0xa502
 */
export function encodeEra(birth: bigint, period: number): Uint8Array {
  const phase = Number(birth % BigInt(period))
  const encoded = Math.max(1, Math.log2(period) - 1) | (phase << 4)
  return Uint8Array.of(encoded & 0xff, encoded >> 8)
}
