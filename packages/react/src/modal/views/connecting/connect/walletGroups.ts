import { listWallets, type ConnectMethod, type WalletRows } from '@latchkey/core'
import { getRecentWallets, internalsOf, listConnectMethods } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/protocol'
import { useState } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useConnections } from '../../../../hooks/useConnections.ts'
import { useStore } from '../../../../useStore.ts'
import { socialsOf, useLogin } from '../../../login/loginConnector.ts'

/** The wallets to choose from, each in one group only. */
export type WalletGroups = WalletRows & {
  /** True if the server has a wallet list. */
  hasList: boolean
  /** True if the whole list can be shown. */
  showsAll: boolean
  /** The number of listed wallets to show. */
  recommended: number
}

/** The default number of recommended wallets [R9.2.2]. */
const recommendedCount = 4

/** Returns the wallets to choose from. Recent wallets keep their position while the view is open. */
export function useWalletGroups(namespace?: Namespace): WalletGroups {
  const latchkey = useLatchkey()
  const [used] = useState(() => getRecentWallets(internalsOf(latchkey).memory))
  useStore(latchkey.connectors)
  const { featuredWallets, server, features, isMobile } = internalsOf(latchkey).settings
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
 * Returns the available groups in order. Logins are included only if a connector has them and the user is not logged in.
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
