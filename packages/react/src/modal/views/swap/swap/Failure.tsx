import type { LatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { swapMessages } from '@latchkey/modal/messages'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon } from '../../../parts/index.tsx'
import { failureText } from './amountText.ts'

/** The failure of a swap. Screen readers announce a declined request politely, and other failures at once. */
export function Failure({ error }: { error: LatchkeyError | undefined }): ReactElement {
  const t = useFlowMessages(swapMessages)
  const strings = useModalMessages()
  const isCalm = error === undefined || error.code === 'request/rejected'
  const failure = error === undefined ? undefined : failureText(t, strings, error)
  return (
    <div role={isCalm ? 'status' : 'alert'}>
      {failure !== undefined && (
        <div className="warning" data-tone={isCalm ? 'note' : 'warning'}>
          <Icon name="warn" />
          <span className="swap-failure">
            <span>{failure.text}</span>
            {failure.reason !== undefined && <span className="hint">{failure.reason}</span>}
          </span>
        </div>
      )}
    </div>
  )
}
