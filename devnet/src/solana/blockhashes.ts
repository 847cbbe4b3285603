import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'

/** The hashes by which transactions say how old they are. */
export type Blockhashes = {
  latest(): { blockhash: string; lastValidBlockHeight: bigint }
  isValid(blockhash: string): boolean
}

/** For how many slots one can be used. */
const validSlots = 150n

/**
 * Makes a hash for each slot in which one is asked for, and knows it for 150 slots: the runtime itself forgets one as
 * soon as there is another.
 *
 * @param seed makes them those of this chain
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
