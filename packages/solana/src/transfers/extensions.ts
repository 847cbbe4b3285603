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

/** The types of the extensions that decide how a token can be transferred. */
const transferFeeExtension = 1
const nonTransferableExtension = 9
const transferHookExtension = 14

/** The offsets in the fee extension: of the fee before and after the epoch in which it changes. */
const feeOffsets = { older: 72, newer: 90 } as const

/** Returns the reason why tokens of a mint can't be sent from here, if there is one. */
export function findTransferBlock(
  extensions: ReadonlyMap<number, Uint8Array>,
): 'non-transferable' | 'transfer-hook' | undefined {
  if (extensions.has(nonTransferableExtension)) return 'non-transferable'
  const hook = extensions.get(transferHookExtension)
  // An authority, and the program that runs during each transfer. A program of zeros means none.
  return hook?.subarray(32, 64).some((byte) => byte !== 0) === true ? 'transfer-hook' : undefined
}

/** True if transfers of a mint can withhold a fee. */
export function hasTransferFee(extensions: ReadonlyMap<number, Uint8Array>): boolean {
  return extensions.has(transferFeeExtension)
}

/** Returns the fee that the token withholds from a transfer in an epoch, in base units, rounded up. */
export function getTransferFee(extensions: ReadonlyMap<number, Uint8Array>, epoch: bigint, amount: bigint): bigint {
  const data = extensions.get(transferFeeExtension)
  if (data === undefined || data.length < 108) return 0n
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const isChanged = epoch >= view.getBigUint64(feeOffsets.newer, true)
  const at = isChanged ? feeOffsets.newer : feeOffsets.older
  const [most, basisPoints] = [view.getBigUint64(at + 8, true), BigInt(view.getUint16(at + 16, true))]
  const fee = (amount * basisPoints + 9_999n) / 10_000n
  return fee < most ? fee : most
}
