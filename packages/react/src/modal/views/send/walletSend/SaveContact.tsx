import { receiverBook, saveContact } from '@latchkey/core/money'
import { showToast } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'

/** Saves the resolved receiver to the address book, unless it is there. */
export function SaveContact({ address, name = '' }: { address: string; name?: string }): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages).book
  const { contacts } = useStore(receiverBook(latchkey))
  const [typed, setTyped] = useState<string>()
  if (contacts.some((contact) => contact.address.toLowerCase() === address.toLowerCase())) return null
  if (typed === undefined) {
    return (
      <button type="button" className="small-button" onClick={() => setTyped(name.slice(0, 40))}>
        {t.save}
      </button>
    )
  }
  const save = (): void => {
    if (typed.trim() === '') return
    const isSaved = saveContact(latchkey, { name: typed, address })
    showToast(latchkey, isSaved ? t.saved : t.full, { variant: isSaved ? 'success' : 'error' })
    setTyped(undefined)
  }
  return (
    <div className="money-line">
      <input
        className="receiver-input"
        type="text"
        dir="auto"
        aria-label={t.name}
        placeholder={t.name}
        autoComplete="off"
        maxLength={40}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter would review the payment.
          event.preventDefault()
          save()
        }}
      />
      <button type="button" className="small-button" data-strong="" onClick={save}>
        {t.confirm}
      </button>
    </div>
  )
}
