import { inputError } from '@latchkey/protocol'
import type { Address } from 'viem'
import { getAddress, isAddress } from 'viem/utils'

/**
 * Parses an address to its checksum form (EIP-55). Mixed case with a wrong checksum is a typing mistake: money that is sent
 * to such an address would be lost.
 *
 * @param value 40 hex digits, with or without `0x`
 * @throws LatchkeyError `address/invalid`
 */
export function parseEvmAddress(value: string): Address {
  const address = value.startsWith('0x') ? value : `0x${value}`
  // Digits of a single case have no checksum. viem accepts only lower case.
  const plain = /^0x[0-9A-F]{40}$/.test(address) ? address.toLowerCase() : address
  if (!isAddress(plain)) throw inputError('address/invalid', { namespace: 'eip155', value })
  return getAddress(plain)
}
