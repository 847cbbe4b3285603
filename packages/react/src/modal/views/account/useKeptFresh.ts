import { pendingTransactions } from '@latchkey/core/money'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { refreshAccount } from '../../../queries/refreshAccount.ts'
import { useStore } from '../../../useStore.ts'

/**
 * Milliseconds: between two looks while something is on its way and after it arrived, and how long the latter goes on,
 * since an index is a moment behind its chain.
 */
const patience = { waiting: 1_000, arrived: 500, after: 5_000 } as const

/** Reads what is shown anew while a transaction of the account is on its way, as long as somebody can see it. */
export function useKeptFresh(): void {
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
        if (type === 'transaction') setUntil(latchkey.clock.now() + patience.after)
      }),
    [latchkey],
  )
  useEffect(() => {
    const { clock } = latchkey
    if (!isSeen || (!isWaiting && clock.now() >= until)) return
    let cancel = (): void => {}
    let stopped = false
    const look = async (): Promise<void> => {
      await refreshAccount(latchkey, account)
      if (stopped || (!isWaiting && clock.now() >= until)) return
      cancel = clock.after(isWaiting ? patience.waiting : patience.arrived, () => void look())
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
