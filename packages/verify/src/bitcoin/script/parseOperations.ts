import { brokenRule } from './brokenRule.ts'

/** One operation of a script, with the bytes that it pushes. */
export type Operation = { readonly opcode: number; readonly data: Uint8Array | undefined }

/** The number of bytes of the length that follows an OP_PUSHDATA. */
const pushData: { readonly [opcode in number]?: number } = { 0x4c: 1, 0x4d: 2, 0x4e: 4 }

/**
 * Parses the operations of a script one by one, because an invalid end only matters if the script gets there.
 *
 * @throws if a push is longer than the script
 */
export function* parseOperations(script: Uint8Array): Generator<Operation> {
  for (let at = 0; at < script.length;) {
    const opcode = script[at++] ?? 0
    if (opcode > 0x4e) {
      yield { opcode, data: undefined }
      continue
    }
    const lengthBytes = pushData[opcode] ?? 0
    const prefix = script.subarray(at, at + lengthBytes)
    const length = lengthBytes === 0 ? opcode : prefix.reduceRight((sum, byte) => sum * 256 + byte, 0)
    const start = at + lengthBytes
    if (start + length > script.length) return brokenRule('a push is longer than the script')
    at = start + length
    yield { opcode, data: script.subarray(start, at) }
  }
}

/** True if a script only pushes values. */
export function isPushOnly(script: Uint8Array): boolean {
  return [...parseOperations(script)].every(({ opcode }) => opcode <= 0x60)
}

/** True if bytes are pushed by the shortest operation that can push them (BIP-62, MINIMALDATA). */
export function isMinimalPush({ opcode, data }: Operation): boolean {
  if (data === undefined) return true
  const [first = 0] = data
  if (data.length === 1 && ((first >= 1 && first <= 16) || first === 0x81)) return false
  if (data.length <= 75) return opcode === data.length
  return opcode === (data.length <= 0xff ? 0x4c : 0x4d)
}
