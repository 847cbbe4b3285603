import { getAccounts, type SharedAccount } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useWalletSnapshot } from '../walletSnapshot.ts'

/**
 * The accounts that the connected wallets share, of one chain family or of all, with what the wallets say of them.
 *
 * @example useAccounts('bip122').filter(({ type }) => type === 'ordinals')
 */
export function useAccounts(namespace?: Namespace): readonly SharedAccount[] {
  return useWalletSnapshot(`accounts ${namespace}`, (latchkey) => getAccounts(latchkey, namespace))
}
