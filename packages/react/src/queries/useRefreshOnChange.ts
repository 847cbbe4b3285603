import { watchAccountChanges } from '@latchkey/core/internal'
import { useEffect, useRef } from 'react'
import { useLatchkey } from '../context.ts'
import { useAccount } from '../hooks/useAccount.ts'
import { refreshAccount } from './refreshAccount.ts'

/**
 * Refreshes the visible data when the server reports a new transaction of the account, for example an incoming payment. It
 * does not poll, so that an idle page sends no further requests.
 *
 * @param isServed false if the server has no data of the network
 */
export function useRefreshOnChange(isServed: boolean): void {
  const latchkey = useLatchkey()
  const account = useAccount()
  const latest = useRef(account)
  useEffect(() => {
    latest.current = account
  }, [account])
  const [id, chainId] =
    isServed && account.status === 'connected' ? [account.account, account.network.caipNetworkId] : []
  useEffect(() => {
    if (id === undefined || chainId === undefined) return
    const onChange = (): void => void refreshAccount(latchkey, latest.current)
    return watchAccountChanges(latchkey, { account: id, chainId, onChange, polls: false })
  }, [latchkey, id, chainId])
}
