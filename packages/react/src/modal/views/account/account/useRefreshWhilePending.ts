import { internalsOf } from '@latchkey/core/internal'
import { pendingTransactions } from '@latchkey/core/money'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { refreshAccount } from '../../../../queries/refreshAccount.ts'
import { useStore } from '../../../../useStore.ts'

/**
 * The intervals between two refreshes while a transaction is pending and after it is confirmed, and the duration of the
 * latter, because an index lags behind its chain. In milliseconds.
 */
const intervals = { waiting: 1_000, arrived: 500, after: 5_000 } as const

/** Refreshes the visible data while a transaction of the account is pending. */
export function useRefreshWhilePending(): void {
  const latchkey = useLatchkey()
  const account = useAccount()
  const isSeen = useSyncExternalStore(onVisibility, isVisible, () => false)
  const isWaiting = useStore(pendingTransactions(latchkey)).some(
    ({ from, status }) => status === 'pending' && account.status === 'connected' && from === account.account,
  )
  const [until, setUntil] = useState(0)
  useEffect(
    () =>
      latchkey.events.subscribe(({ type }) => {
        if (type === 'transaction') setUntil(internalsOf(latchkey).clock.now() + intervals.after)
      }),
    [latchkey],
  )
  useEffect(() => {
    const { clock } = internalsOf(latchkey)
    if (!isSeen || (!isWaiting && clock.now() >= until)) return
    let cancel = (): void => {}
    let stopped = false
    const look = async (): Promise<void> => {
      await refreshAccount(latchkey, account)
      if (stopped || (!isWaiting && clock.now() >= until)) return
      cancel = clock.after(isWaiting ? intervals.waiting : intervals.arrived, () => void look())
    }
    void look()
    return () => {
      stopped = true
      cancel()
    }
  }, [latchkey, account, isSeen, isWaiting, until])
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}
