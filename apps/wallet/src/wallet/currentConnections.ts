import { isChainId } from '@latchkey/protocol'
import type { Session, SessionNamespaces } from '@latchkey/walletconnect/wallet'
import type { AppConnection, AppConnections } from './walletMemory.ts'

/** Returns the app's remembered connections. A connection that the session no longer grants falls back to the first granted account. */
export function currentConnections({ namespaces }: Session, remembered: AppConnections): AppConnections {
  const entries = Object.entries(namespaces).flatMap(([namespace, grant]): [string, AppConnection][] => {
    const connection = remembered[namespace]
    if (connection !== undefined && grant.accounts.includes(`${connection.chainId}:${connection.address}`)) {
      return [[namespace, connection]]
    }
    const first = firstConnection(grant)
    return first === undefined ? [] : [[namespace, first]]
  })
  return Object.fromEntries(entries)
}

function firstConnection({ accounts: [account = ''] }: SessionNamespaces[string]): AppConnection | undefined {
  const at = account.lastIndexOf(':')
  const chainId = account.slice(0, Math.max(at, 0))
  return isChainId(chainId) ? { chainId, address: account.slice(at + 1) } : undefined
}
