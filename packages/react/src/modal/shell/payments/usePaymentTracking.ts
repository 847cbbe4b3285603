import { modalOf } from '@latchkey/modal'
import { useEffect, useRef } from 'react'
import { useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useStore } from '../../../useStore.ts'

/**
 * Resolves pending payments while the modal is open. Afterwards they are checked when the page becomes visible again.
 * Nothing is loaded or requested before the modal was open with an account.
 */
export function usePaymentTracking(): void {
  const { latchkey, locale } = useSurroundings()
  const isOpen = useStore(modalOf(latchkey).state).open
  const isConnected = useAccount().status === 'connected'
  const wasOpen = useRef(false)
  useEffect(() => {
    wasOpen.current ||= isOpen
    if (!isConnected || !wasOpen.current) return
    let isOver = false
    let stop = (): void => {}
    void import('./trackPayments.ts').then(
      async ({ trackPayments }) => {
        const stopTracking = await trackPayments(latchkey, locale, isOpen)
        if (isOver) stopTracking()
        else stop = stopTracking
      },
      // Without the chunk the payments are checked when the modal opens again.
      () => {},
    )
    return () => {
      isOver = true
      stop()
    }
  }, [latchkey, locale, isOpen, isConnected])
}
