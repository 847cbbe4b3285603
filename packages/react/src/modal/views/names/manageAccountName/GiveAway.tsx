import { transferName } from '@latchkey/core/money'
import { namesMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import type { NameAction } from './useNameAction.ts'

/** Offers the name to another address. */
export function GiveAway({ name, action }: { name: string; action: NameAction }): ReactElement {
  const latchkey = useLatchkey()
  const { manage: t } = useFlowMessages(namesMessages)
  const [receiver, setReceiver] = useState('')
  const offer = async (): Promise<string> => {
    await transferName(latchkey, name, receiver.trim())
    setReceiver('')
    return t.offered
  }
  return (
    <form
      className="name-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (receiver.trim() !== '') action.run('offer', offer)
      }}
    >
      <div className="field name-field" part="field" dir="ltr">
        <input
          aria-label={t.receiver}
          aria-describedby="name-receiver"
          placeholder={t.receiver}
          value={receiver}
          readOnly={action.pending !== undefined}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          onChange={({ target }) => setReceiver(target.value)}
        />
      </div>
      <p id="name-receiver" className="hint">
        {t.receiverHint}
      </p>
      <button type="submit" className="button" aria-disabled={action.pending !== undefined || receiver.trim() === ''}>
        {t.offer}
      </button>
    </form>
  )
}
