import { modalOf } from '@latchkey/modal'
import { useEffect, useState } from 'react'
import { useLatchkeyContext } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useStore } from '../../../useStore.ts'

/**
 * Resolves pending payments once the modal was open, or at once if an earlier page load left one. They are followed even
 * while the modal is closed.
 */
export function usePaymentTracking(): void {
  const { latchkey, locale } = useLatchkeyContext()
  const isOpen = useStore(modalOf(latchkey).state).open
  const isConnected = useAccount().status === 'connected'
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  useEffect(() => {
    if (!isConnected) return
    const tracking = import('./trackPayments.ts')
      .then(({ trackPayments }) => trackPayments(latchkey, locale, wasOpen))
      // Without the chunk the payments are checked when the modal opens again.
      .catch(() => () => {})
    return () => void tracking.then((stop) => stop())
  }, [latchkey, locale, wasOpen, isConnected])
}
