import { parseAccountId, type AccountId, type Network, inputError } from '@latchkey/protocol'
import { Address, OutScript } from '@scure/btc-signer'
import { getAddressFormat, parseBitcoinAddress } from '../address/parseBitcoinAddress.ts'
import type { PayerKind } from './virtualSize.ts'

/** The address that pays. */
export type Payer = { readonly address: string; readonly kind: PayerKind; readonly script: Uint8Array }

const kinds: readonly PayerKind[] = ['pkh', 'sh', 'wpkh', 'tr']

/**
 * Returns the address of an account with its script.
 *
 * @throws LatchkeyError `address/invalid`, including for scripts that no wallet of one key can spend (P2WSH)
 */
export function getPayer({ caipNetworkId }: Network, account: AccountId): Payer {
  const { address } = parseAccountId(account)
  const { type, script } = decodeAddress(caipNetworkId, address)
  const kind = kinds.find((each) => each === type)
  if (kind === undefined) throw inputError('address/invalid', { namespace: 'bip122', value: address })
  return { address, kind, script }
}

/**
 * Returns the script of an address of a network.
 *
 * @throws LatchkeyError `address/invalid`
 */
export function getReceiverScript({ caipNetworkId }: Network, address: string): Uint8Array {
  return decodeAddress(caipNetworkId, address).script
}

function decodeAddress(chainId: Network['caipNetworkId'], address: string): { type: string; script: Uint8Array } {
  const decoded = Address(getAddressFormat(chainId)).decode(parseBitcoinAddress(chainId, address))
  return { type: decoded.type, script: OutScript.encode(decoded) }
}
