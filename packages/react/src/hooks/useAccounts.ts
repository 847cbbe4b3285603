import { getAccounts, type SharedAccount } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useWalletSnapshot } from '../walletSnapshot.ts'

/**
 * Returns the accounts that the connected wallets share, with the details that the wallets provide.
 *
 * @param namespace all namespaces if omitted
 *
 * @example useAccounts('bip122').filter(({ type }) => type === 'ordinals')
 */
export function useAccounts(namespace?: Namespace): readonly SharedAccount[] {
  return useWalletSnapshot(`accounts ${namespace}`, (latchkey) => getAccounts(latchkey, namespace))
}
