import { isChainId } from '@latchkey/protocol'
import type { Session, SessionNamespaces } from '@latchkey/walletconnect/wallet'
import type { Standing, Standings } from './memory.ts'

/** Where an app stands, as remembered; anything its session does not grant any more falls back to the first grant. */
export function followedStandings({ namespaces }: Session, remembered: Standings): Standings {
  const entries = Object.entries(namespaces).flatMap(([namespace, grant]): [string, Standing][] => {
    const standing = remembered[namespace]
    if (standing !== undefined && grant.accounts.includes(`${standing.chainId}:${standing.address}`)) {
      return [[namespace, standing]]
    }
    const first = firstStanding(grant)
    return first === undefined ? [] : [[namespace, first]]
  })
  return Object.fromEntries(entries)
}

function firstStanding({ accounts: [account = ''] }: SessionNamespaces[string]): Standing | undefined {
  const at = account.lastIndexOf(':')
  const chainId = account.slice(0, Math.max(at, 0))
  return isChainId(chainId) ? { chainId, address: account.slice(at + 1) } : undefined
}
