import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

const keyBytes = 32
const checksumBytes = 2

/**
 * Gets the account key of an address (SS58), which is the same on all networks.
 *
 * @returns the key as hex, or `undefined` if it is not an address
 * @example getSs58Key('15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5')
 */
export function getSs58Key(address: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(address)) return undefined
  const bytes = base58.decode(address)
  const [first = 128] = bytes
  // Formats below 64 take one byte, higher formats two. Values above 127 are reserved.
  const start = first < 64 ? 1 : 2
  if (first > 127 || bytes.length !== start + keyBytes + checksumBytes) return undefined
  const body = bytes.subarray(0, -checksumBytes)
  const checksum = createHash('blake2b512').update('SS58PRE').update(body).digest().subarray(0, checksumBytes)
  return checksum.equals(bytes.subarray(-checksumBytes)) ? Buffer.from(body.subarray(start)).toString('hex') : undefined
}
