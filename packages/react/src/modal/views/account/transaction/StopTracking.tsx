import { stopTracking, type PendingTransaction } from '@latchkey/core/money'
import { goBack } from '@latchkey/modal'
import { holdingsMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'

/** Removes a transaction that was not found in time from the list. A wallet may have sent it where no node sees it. */
export function StopTracking({ transaction }: { transaction: PendingTransaction }): ReactElement | null {
  const latchkey = useLatchkey()
  const { details: t } = useFlowMessages(holdingsMessages)
  if (transaction.status !== 'unknown') return null
  const stop = (): void => {
    stopTracking(latchkey, transaction)
    goBack(latchkey)
  }
  return (
    <>
      <p className="hint center">{t.stopTrackingHint}</p>
      <button type="button" className="button" onClick={stop}>
        {t.stopTracking}
      </button>
    </>
  )
}
