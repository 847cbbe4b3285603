/** The offset of the extensions: a mint is padded to the size of a token account, and a type byte follows. */
const extensionsOffset = 166

/** The bytes that a mint's extension adds to each token account: a header of 4 bytes and its data. */
const accountExtensionSizes: ReadonlyMap<number, number> = new Map([
  [1, 4 + 8], // TransferFeeConfig: the withheld amount
  [9, 4], // NonTransferable
  [14, 4 + 1], // TransferHook: a flag for a transfer in progress
  [26, 4], // Pausable
])

/** A token account, its type byte, and the ImmutableOwner extension. */
const sizeWithExtensions = 165 + 1 + 4

/** Returns the size of a token account for a mint, in bytes. */
export function getTokenAccountSize(isPlain: boolean, extensions: ReadonlyMap<number, Uint8Array>): bigint {
  if (isPlain) return 165n
  const added = [...extensions.keys()].reduce((sum, kind) => sum + (accountExtensionSizes.get(kind) ?? 0), 0)
  return BigInt(sizeWithExtensions + added)
}

/** Parses the extensions of a mint. Each is a type, a length and that many bytes. */
export function parseExtensions(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>()
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = extensionsOffset; at + 4 <= data.length;) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    if (type === 0) break
    found.set(type, data.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}

/** The type of the extension with the token's name. */
export const metadataExtension = 19
