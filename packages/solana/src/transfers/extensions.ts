/** Where the additions to a mint begin: behind its own bytes, padded to the size of a holding, and the byte of its kind. */
const start = 166

/** Additions that a mint can have, each with what it adds to every holding of the token: a head of 4 bytes, and more. */
const addedToHoldings: ReadonlyMap<number, number> = new Map([
  [1, 4 + 8], // TransferFeeConfig: what was withheld
  [9, 4], // NonTransferable
  [14, 4 + 1], // TransferHook: whether one is under way
  [26, 4], // Pausable
])

/** A holding, the byte of its kind, and that its owner cannot change. */
const sizeWithExtensions = 165 + 1 + 4

/** How large an account for tokens of a mint is. */
export function sizeOfHolding(isPlain: boolean, extensions: ReadonlyMap<number, Uint8Array>): bigint {
  if (isPlain) return 165n
  const added = [...extensions.keys()].reduce((sum, kind) => sum + (addedToHoldings.get(kind) ?? 0), 0)
  return BigInt(sizeWithExtensions + added)
}

/** Reads what was added to a mint: a kind, a length and as many bytes, one behind the other. */
export function extensionsOf(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>()
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = start; at + 4 <= data.length;) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    if (kind === 0) break
    found.set(kind, data.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}

/** The number of the addition that holds a token's name. */
export const metadataExtension = 19
