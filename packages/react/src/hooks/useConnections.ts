import { getConnections, type WalletConnection } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useWalletSnapshot } from '../walletSnapshot.ts'

/**
 * Returns the connected wallets. The primary connection of each namespace comes first.
 *
 * @param namespace all namespaces if omitted
 *
 * @example useConnections().map(({ connectorId, wallet }) => <li key={connectorId}>{wallet.name}</li>)
 */
export function useConnections(namespace?: Namespace): readonly WalletConnection[] {
  return useWalletSnapshot(`connections ${namespace}`, (latchkey) => getConnections(latchkey, namespace))
}
