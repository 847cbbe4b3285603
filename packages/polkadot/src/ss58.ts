import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { LatchkeyError } from '@latchkey/protocol'

/**
 * Reads an address of any network (SS58).
 *
 * @returns the 32 bytes that name the account on all of them
 * @throws LatchkeyError `address/invalid`.
 */
export function accountKeyOf(address: string): Uint8Array {
  const bytes = attempt(() => base58.decode(address))
  const [first = 128] = bytes ?? []
  // Formats below 64 are written in one byte, others in two; the rest is reserved.
  const start = first < 64 ? 1 : 2
  if (bytes === undefined || first > 127 || bytes.length !== start + 34) throw invalid(address)
  const expected = checksum(bytes.subarray(0, -2))
  if (bytes.at(-2) !== expected[0] || bytes.at(-1) !== expected[1]) throw invalid(address)
  return bytes.slice(start, -2)
}

/** Writes an account as the addresses of a network are written. */
export function addressOf(key: Uint8Array, format: number): string {
  const prefix =
    format < 64
      ? Uint8Array.of(format)
      : Uint8Array.of(((format & 0xfc) >> 2) | 0x40, (format >> 8) | ((format & 0x03) << 6))
  const body = concatBytes(prefix, key)
  return base58.encode(concatBytes(body, checksum(body)))
}

function checksum(body: Uint8Array): Uint8Array {
  return blake2b(concatBytes(utf8ToBytes('SS58PRE'), body), { dkLen: 64 }).subarray(0, 2)
}

function invalid(value: string): LatchkeyError {
  return new LatchkeyError('address/invalid', { namespace: 'polkadot', value })
}

function attempt<result>(act: () => result): result | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
