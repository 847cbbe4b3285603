import type { LatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { usePart } from '../../../strings/part.tsx'
import { swapPart } from '../../../strings/swap/texts.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { Icon } from '../../parts.tsx'
import { failureText } from './words.ts'

/** Why it does not go on. What somebody declined himself is told calmly; the rest at once. */
export function Failure({ error }: { error: LatchkeyError | undefined }): ReactElement {
  const t = usePart(swapPart)
  const strings = useStrings()
  const isCalm = error === undefined || error.code === 'request/rejected'
  const said = error === undefined ? undefined : failureText(t, strings, error)
  return (
    <div role={isCalm ? 'status' : 'alert'}>
      {said !== undefined && (
        <div className="warning" data-tone={isCalm ? 'note' : 'warning'}>
          <Icon name="warn" />
          <span className="swap-failure">
            <span>{said.text}</span>
            {said.reason !== undefined && <span className="hint">{said.reason}</span>}
          </span>
        </div>
      )}
    </div>
  )
}
