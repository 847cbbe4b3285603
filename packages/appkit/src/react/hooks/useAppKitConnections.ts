import type { RecentWallet, WalletConnection } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useMemo } from 'react'
import { useAppKitStore, useCurrentAppKit } from './useCurrentAppKit.ts'

/**
 * Returns the connected wallets, and those that were used last.
 *
 * @param namespace all namespaces if omitted
 * @throws LatchkeyError `appkit/missing` before `createAppKit`
 * @example const { connections } = useAppKitConnections('eip155')
 */
export function useAppKitConnections(namespace?: Namespace): {
  connections: readonly WalletConnection[]
  recentConnections: readonly RecentWallet[]
} {
  const appKit = useCurrentAppKit()
  const wallet = useAppKitStore(appKit.latchkey.wallet)
  return useMemo(() => {
    const isInitial = wallet === appKit.latchkey.wallet.getInitialState()
    return {
      connections: isInitial ? [] : appKit.getConnections(namespace),
      recentConnections: isInitial ? [] : appKit.getRecentConnections(),
    }
  }, [appKit, wallet, namespace])
}
