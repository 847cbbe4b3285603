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
 * @returns the address; a Bech32 address in upper case, as QR codes contain it, in lower case
 * @throws LatchkeyError `address/invalid`
 */
export function parseBitcoinAddress(chainId: ChainId, value: string): string {
  try {
    const address = /^(BC|TB|BCRT)1[02-9AC-HJ-NP-Z]+$/.test(value) ? value.toLowerCase() : value
    Address(getAddressFormat(chainId)).decode(address)
    return address
  } catch (cause) {
    throw inputError('address/invalid', { namespace: 'bip122', value }, { cause })
  }
}
