import { inputError } from '@latchkey/protocol'
import { address, type Address } from '@solana/kit'
import { isSolanaAddress } from './isSolanaAddress.ts'

/**
 * Parses an address for @solana/kit. Addresses have no checksum, so money that is sent to a mistyped address is lost: show
 * users the address that they typed.
 *
 * @throws LatchkeyError `address/invalid`
 */
export function parseSolanaAddress(value: string): Address {
  if (!isSolanaAddress(value)) throw inputError('address/invalid', { namespace: 'solana', value })
  return address(value)
}
