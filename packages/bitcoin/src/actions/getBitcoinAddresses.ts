import { requireConnectedWallet } from '@latchkey/adapter-kit'
import type { Latchkey } from '@latchkey/core'
import { parseAccountId } from '@latchkey/protocol'

/** An address of the connected wallet. */
export type BitcoinAddress = {
  address: string
  /** Addresses for payments, or for inscriptions and other ordinals. */
  type: 'payment' | 'ordinals'
  /** Hex. */
  publicKey?: string
  /** A BIP-32 path. */
  path?: string
}

/**
 * Lists the addresses of the connected Bitcoin wallet, payment addresses first.
 *
 * @throws LatchkeyError `connection/not-connected`
 * @example const addresses = getBitcoinAddresses(latchkey).map(({ address }) => address)
 */
export function getBitcoinAddresses(latchkey: Latchkey): readonly BitcoinAddress[] {
  const { connection } = requireConnectedWallet(latchkey, 'bip122')
  return connection.accounts.map((account) => {
    const { type, publicKey, path } = connection.details?.(account) ?? {}
    const { address } = parseAccountId(account)
    return { address, type: type === 'ordinals' ? 'ordinals' : 'payment', publicKey, path }
  })
}
