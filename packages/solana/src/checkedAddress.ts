import { LatchkeyError } from '@latchkey/protocol'
import { address, type Address } from '@solana/kit'
import { isAddress } from './address.ts'

/**
 * Takes an address as @solana/kit writes it. There is no checksum: money sent to a mistyped one is lost, so that people
 * are to be shown what they typed.
 *
 * @throws LatchkeyError `address/invalid`.
 */
export function checkedAddress(value: string): Address {
  if (!isAddress(value)) throw new LatchkeyError('address/invalid', { namespace: 'solana', value })
  return address(value)
}
