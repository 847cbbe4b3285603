import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'

const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const keyLength = 32

/** Returns the associated token account of an owner, as a list of one, or an empty list if an address is malformed. */
export function tokenAccountsOf(owner: string, mint: string, tokenProgram: string): readonly string[] {
  try {
    const seeds = [owner, tokenProgram, mint].map((each) => base58.decode(each))
    if (seeds.some(({ length }) => length !== keyLength)) return []
    return [findProgramAddress(seeds, base58.decode(associatedTokenProgram))]
  } catch {
    return []
  }
}

/** Derives the address of a program: the first hash with a falling bump that is not a point of the curve. */
function findProgramAddress(seeds: readonly Uint8Array[], program: Uint8Array): string {
  const end = concatBytes(program, utf8ToBytes('ProgramDerivedAddress'))
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = sha256(concatBytes(...seeds, Uint8Array.of(bump), end))
    if (!isOnCurve(hash)) return base58.encode(hash)
  }
  throw new RangeError('No bump yields an address.')
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes)
    return true
  } catch {
    return false
  }
}
