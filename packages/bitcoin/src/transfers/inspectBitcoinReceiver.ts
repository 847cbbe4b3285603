import type { ReceiverNote, Transfer } from '@latchkey/core/money'
import { isLatchkeyError, parseAccountId, type Network } from '@latchkey/protocol'
import { Address, NETWORK, TEST_NETWORK } from '@scure/btc-signer'
import { parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'

/**
 * Returns warnings about a receiver. No request is sent: Bitcoin wallets use a new address for each payment, so an unused
 * address needs no warning.
 */
export function inspectBitcoinReceiver(
  { caipNetworkId }: Network,
  { from, to }: Omit<Transfer, 'amount'>,
): readonly ReceiverNote[] {
  try {
    return parseBitcoinAddress(caipNetworkId, to) === parseAccountId(from).address ? ['oneself'] : []
  } catch (error) {
    if (!isLatchkeyError(error, 'address/invalid')) throw error
    return [findOwnNetwork(to)]
  }
}

/** Returns the note about an address of another network, or `invalid` if it belongs to no network. */
function findOwnNetwork(address: string): ReceiverNote {
  const isLowerCase = address !== address.toUpperCase()
  const text = isLowerCase ? address : address.toLowerCase()
  if (isAddressOf(NETWORK, address) || isAddressOf(NETWORK, text)) return 'mainnet-address'
  const tests = [TEST_NETWORK, { ...TEST_NETWORK, bech32: 'bcrt' }]
  return tests.some((each) => isAddressOf(each, address) || isAddressOf(each, text)) ? 'testnet-address' : 'invalid'
}

function isAddressOf(format: typeof NETWORK, address: string): boolean {
  try {
    Address(format).decode(address)
    return true
  } catch {
    return false
  }
}
