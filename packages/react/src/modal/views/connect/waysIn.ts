import { listConnectMethods, listWallets, type ConnectMethod, type WalletRows } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useState } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useConnections } from '../../../hooks/useConnections.ts'
import { useStore } from '../../../useStore.ts'
import { socialsOf, useLogin } from '../../login/loginConnector.ts'

/** What a visitor can choose from, each wallet in one group only. */
export type WaysIn = WalletRows & {
  /** Whether there is a list of wallets that phones may have. */
  hasList: boolean
  /** Whether all of that list can be looked at. */
  showsAll: boolean
  /** How many wallets of the list there is room for. */
  recommended: number
}

/** How many wallets are recommended where nothing better is known [R9.2.2]. */
const recommendedCount = 4

/** The wallets to choose from; those used before stay in their place while somebody looks. */
export function useWaysIn(namespace?: Namespace): WaysIn {
  const latchkey = useLatchkey()
  const [used] = useState(() => latchkey.memory.recentWallets())
  useStore(latchkey.connectors)
  const { featuredWallets, server, features, isMobile } = latchkey.settings
  const rows = listWallets(latchkey, { used, namespace })
  const hasList = rows.walletConnect !== undefined && server !== undefined
  const shown = rows.recent.length + rows.injected.length + rows.custom.length + featuredWallets.length
  return {
    ...rows,
    hasList,
    showsAll: hasList && (features.allWallets === 'mobile' ? isMobile() : features.allWallets),
    recommended: Math.max(0, recommendedCount - shown - (useConnectMethods(namespace).length - 1)),
  }
}

/**
 * The groups of ways in that there are, in their order. Logins are not among them without a wallet that has them, or once
 * one is logged in.
 */
export function useConnectMethods(namespace?: Namespace): readonly ConnectMethod[] {
  const latchkey = useLatchkey()
  const connector = useLogin(namespace)
  const isLoggedIn = useConnections().some(({ connectorId }) => connectorId === connector?.id)
  const hasLogin = connector !== undefined && !isLoggedIn
  const isThere = {
    wallet: true,
    email: hasLogin,
    social: hasLogin && socialsOf(latchkey, connector).length > 0,
  }
  return listConnectMethods(latchkey).filter((method) => isThere[method])
}
