import { LatchkeyError, type ChainId } from '@latchkey/protocol'
import { Address, NETWORK, TEST_NETWORK } from '@scure/btc-signer'
import { nameOfChain } from './chainNames.ts'

/** How addresses and keys of a chain are written. */
export function writingOf(chainId: ChainId): typeof NETWORK {
  const name = nameOfChain(chainId)
  if (name === 'mainnet') return NETWORK
  return name === 'regtest' ? { ...TEST_NETWORK, bech32: 'bcrt' } : TEST_NETWORK
}

/**
 * Takes an address whose checksum is right and that belongs to the chain. Money sent to any other would be lost.
 *
 * @throws LatchkeyError `address/invalid`.
 */
export function checkedAddress(chainId: ChainId, value: string): string {
  try {
    Address(writingOf(chainId)).decode(value)
    return value
  } catch (cause) {
    throw new LatchkeyError('address/invalid', { namespace: 'bip122', value }, { cause })
  }
}
