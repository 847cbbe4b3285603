import { getConnections, type WalletConnection } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useWalletSnapshot } from '../walletSnapshot.ts'

/**
 * The wallets that are connected, of one chain family or of all; the one in use of each family comes first.
 *
 * @example useConnections().map(({ connectorId, wallet }) => <li key={connectorId}>{wallet.name}</li>)
 */
export function useConnections(namespace?: Namespace): readonly WalletConnection[] {
  return useWalletSnapshot(`connections ${namespace}`, (latchkey) => getConnections(latchkey, namespace))
}
