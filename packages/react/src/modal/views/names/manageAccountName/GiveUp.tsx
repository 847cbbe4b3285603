import { releaseName } from '@latchkey/core/money'
import { namesMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import type { NameAction } from './useNameAction.ts'

/** Gives the name up, after a second press that names it. */
export function GiveUp({ name, action }: { name: string; action: NameAction }): ReactElement {
  const latchkey = useLatchkey()
  const { manage: t } = useFlowMessages(namesMessages)
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking) {
    return (
      <button type="button" className="button" onClick={() => setIsAsking(true)}>
        {t.release}
      </button>
    )
  }
  const release = async (): Promise<string> => {
    await releaseName(latchkey, name)
    return t.released({ name })
  }
  return (
    <div className="name-form">
      <p className="warning" role="alert">
        {t.releaseHint}
      </p>
      <button
        type="button"
        className="button"
        aria-disabled={action.pending !== undefined}
        onClick={() => action.run('release', release)}
      >
        {t.releaseConfirm({ name })}
      </button>
    </div>
  )
}
