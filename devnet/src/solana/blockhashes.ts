import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'

/** The recent blockhashes that limit the age of transactions. */
export type Blockhashes = {
  latest(): { blockhash: string; lastValidBlockHeight: bigint }
  isValid(blockhash: string): boolean
}

/** The validity of a blockhash, in slots. */
const validSlots = 150n

/**
 * Creates a blockhash per requested slot and accepts it for 150 slots. The runtime itself accepts only the latest one.
 *
 * @param seed makes the hashes specific to this chain
 */
export function createBlockhashes(slot: () => bigint, seed: string): Blockhashes {
  const issued = new Map<string, bigint>()
  return {
    latest() {
      const current = slot()
      const blockhash = getBase58Decoder().decode(createHash('sha256').update(`${seed}:${current}`).digest())
      issued.set(blockhash, current)
      for (const [old, at] of issued) if (at + validSlots < current) issued.delete(old)
      return { blockhash, lastValidBlockHeight: current + validSlots }
    },
    isValid(blockhash) {
      const at = issued.get(blockhash)
      return at !== undefined && slot() <= at + validSlots
    },
  }
}
