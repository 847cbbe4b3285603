import type { Namespace } from '@latchkey/protocol'
import { useCallback } from 'react'
import { useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the function that disconnects all wallets, those of a namespace, or one of them.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example
 * const { disconnect } = useDisconnect()
 * await disconnect({ namespace: 'solana' })
 */
export function useDisconnect(): {
  /** @throws LatchkeyError `disconnect/failed` if a wallet could not be notified */
  disconnect(target?: { id?: string; namespace?: Namespace }): Promise<void>
} {
  const appKit = useCurrentAppKit()
  const disconnect = useCallback(
    async ({ id, namespace }: { id?: string; namespace?: Namespace } = {}): Promise<void> => {
      const connection = appKit
        .getConnections(namespace)
        .find(({ connectorId }) => id !== undefined && connectorId === id)
      await (connection === undefined ? appKit.disconnect(namespace) : appKit.deleteConnection(connection))
    },
    [appKit],
  )
  return { disconnect }
}
