import { type ChainId, inputError } from '@latchkey/protocol'
import { Address, NETWORK, TEST_NETWORK } from '@scure/btc-signer'
import { getChainName } from '../chain/chainNames.ts'

/** The prefixes and version bytes of a chain's addresses. */
export function getAddressFormat(chainId: ChainId): typeof NETWORK {
  const name = getChainName(chainId)
  if (name === 'mainnet') return NETWORK
  return name === 'regtest' ? { ...TEST_NETWORK, bech32: 'bcrt' } : TEST_NETWORK
}

/**
 * Accepts an address with a valid checksum that belongs to the chain. Money that is sent to any other would be lost.
 *
 * @throws LatchkeyError `address/invalid`
 */
export function parseBitcoinAddress(chainId: ChainId, value: string): string {
  try {
    Address(getAddressFormat(chainId)).decode(value)
    return value
  } catch (cause) {
    throw inputError('address/invalid', { namespace: 'bip122', value }, { cause })
  }
}
