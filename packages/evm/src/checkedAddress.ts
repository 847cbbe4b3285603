import { LatchkeyError } from '@latchkey/protocol'
import type { Address } from 'viem'
import { getAddress, isAddress } from 'viem/utils'

/**
 * Takes an address in its checksum form (EIP-55). Mixed case with a checksum that does not fit is a typing mistake,
 * and money sent there would be lost.
 *
 * @param value 40 hexadecimal digits, with `0x` before them or not
 * @throws LatchkeyError `address/invalid`.
 */
export function checkedAddress(value: string): Address {
  const address = value.startsWith('0x') ? value : `0x${value}`
  // Digits of one case carry no checksum; viem takes the lower case only.
  const plain = /^0x[0-9A-F]{40}$/.test(address) ? address.toLowerCase() : address
  if (!isAddress(plain)) throw new LatchkeyError('address/invalid', { namespace: 'eip155', value })
  return getAddress(plain)
}
