import { parseWalletName } from '@latchkey/adapter-kit'
import { getField } from '@latchkey/protocol'
import { isSolanaAddress } from '../address/isSolanaAddress.ts'

/** An account that a wallet shares. `given` is the wallet's own object, which it expects back in requests. */
export type WalletAccount = { address: string; label: string | undefined; given: object }

const mostAccounts = 200

/**
 * Parses the Solana accounts of a wallet. Accounts of other namespaces and duplicates are left out.
 *
 * @throws TypeError if the value is not a list, or an account has no valid address
 */
export function parseWalletAccounts(value: unknown): readonly WalletAccount[] {
  if (!Array.isArray(value)) throw new TypeError('The accounts are not a list.')
  const accounts = new Map<string, WalletAccount>()
  for (const given of value.slice(0, mostAccounts)) {
    const [address, chains, label] = ['address', 'chains', 'label'].map((key) => getField(given, key))
    const isSolana = !Array.isArray(chains) || chains.some((chain) => String(chain).startsWith('solana:'))
    if (!isSolana) continue
    if (typeof address !== 'string' || !isSolanaAddress(address)) throw new TypeError('An account has no address.')
    if (!accounts.has(address)) accounts.set(address, { address, label: parseWalletName(label), given })
  }
  return [...accounts.values()]
}
