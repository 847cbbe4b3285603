import { tryOrUndefined } from '@latchkey/adapter-kit'
import { inputError, type LatchkeyError } from '@latchkey/protocol'
import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'

/**
 * Parses an address of any network (SS58).
 *
 * @returns the 32-byte account key, which is the same on all networks
 * @throws LatchkeyError `address/invalid`
 */
export function parseSs58Address(address: string): Uint8Array {
  const bytes = tryOrUndefined(() => base58.decode(address))
  const [first = 128] = bytes ?? []
  // Formats below 64 take one byte, higher formats two. Values above 127 are reserved.
  const start = first < 64 ? 1 : 2
  if (bytes === undefined || first > 127 || bytes.length !== start + 34) throw invalidSs58Address(address)
  const expected = hashChecksum(bytes.subarray(0, -2))
  if (bytes.at(-2) !== expected[0] || bytes.at(-1) !== expected[1]) throw invalidSs58Address(address)
  return bytes.slice(start, -2)
}

/** Writes an account key as an address of the network with this SS58 format. */
export function formatSs58Address(key: Uint8Array, format: number): string {
  const prefix =
    format < 64
      ? Uint8Array.of(format)
      : Uint8Array.of(((format & 0xfc) >> 2) | 0x40, (format >> 8) | ((format & 0x03) << 6))
  const body = concatBytes(prefix, key)
  return base58.encode(concatBytes(body, hashChecksum(body)))
}

function hashChecksum(body: Uint8Array): Uint8Array {
  return blake2b(concatBytes(utf8ToBytes('SS58PRE'), body), { dkLen: 64 }).subarray(0, 2)
}

function invalidSs58Address(value: string): LatchkeyError {
  return inputError('address/invalid', { namespace: 'polkadot', value })
}
