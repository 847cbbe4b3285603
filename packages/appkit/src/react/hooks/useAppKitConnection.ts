import type { WalletConnection } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useState } from 'react'
import type { AppKit } from '../../instance/appKit.ts'
import { useAppKitConnections } from './useAppKitConnections.ts'
import { useCurrentAppKit } from './useCurrentAppKit.ts'

export type UseAppKitConnectionOptions = {
  namespace: Namespace
  onSuccess?(): void
  onError?(error: unknown): void
}

/**
 * Returns the primary connection of a namespace, and functions that change it.
 *
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { connection, isPending } = useAppKitConnection({ namespace: 'eip155' })
 */
export function useAppKitConnection({ namespace, onSuccess, onError }: UseAppKitConnectionOptions): {
  connection: WalletConnection | undefined
  isPending: boolean
} & Pick<AppKit, 'switchConnection' | 'deleteConnection'> {
  const { switchConnection, deleteConnection } = useCurrentAppKit()
  const [connection] = useAppKitConnections(namespace).connections
  const [isPending, setPending] = useState(false)
  async function run(change: () => Promise<void>): Promise<void> {
    setPending(true)
    try {
      await change()
      onSuccess?.()
    } catch (error) {
      onError?.(error)
    } finally {
      setPending(false)
    }
  }
  return {
    connection,
    isPending,
    switchConnection: (next) => run(() => switchConnection(next)),
    deleteConnection: (old) => run(() => deleteConnection(old)),
  }
}
