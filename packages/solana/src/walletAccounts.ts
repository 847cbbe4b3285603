import { isAddress } from './address.ts'
import { read } from './readWallet.ts'

/** An account that a wallet shares. The wallet's own object is what it wants to be given back. */
export type WalletAccount = { address: string; label: string | undefined; given: object }

/** Nobody looks through more. */
const mostAccounts = 200
const labelLength = 60

/**
 * Reads the accounts of Solana that a wallet tells, each once; those of its other families are passed over.
 *
 * @throws TypeError when it is no list, or one of them is no account.
 */
export function readAccounts(value: unknown): readonly WalletAccount[] {
  if (!Array.isArray(value)) throw new TypeError('The accounts are no list.')
  const accounts = new Map<string, WalletAccount>()
  for (const given of value.slice(0, mostAccounts)) {
    const [address, chains, label] = ['address', 'chains', 'label'].map((key) => read(given, key))
    const isSolana = !Array.isArray(chains) || chains.some((chain) => String(chain).startsWith('solana:'))
    if (!isSolana) continue
    if (typeof address !== 'string' || !isAddress(address)) throw new TypeError('An account has no address.')
    const shown = typeof label === 'string' ? label.replace(/\p{C}/gu, '').trim().slice(0, labelLength) : ''
    if (!accounts.has(address)) accounts.set(address, { address, label: shown === '' ? undefined : shown, given })
  }
  return [...accounts.values()]
}
