import { sendState, setReceiver, type SendState } from '@latchkey/core/money'
import { showToast } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { useId, useRef, type ReactElement, type RefObject } from 'react'
import { useLatchkey } from '../../../context.ts'
import { usePart } from '../../../strings/part.tsx'
import { sendPart, type SendTexts } from '../../../strings/send/texts.ts'
import { useStore } from '../../../useStore.ts'
import { Warnings } from '../../money/Warnings.tsx'
import { Icon } from '../../parts.tsx'
import { notesOf } from './notes.ts'
import { WholeAddress } from './WholeAddress.tsx'

/** Who is paid: an address or a name, what it leads to, and what is worth knowing of it. */
export function ReceiverBox({
  ref,
  network,
}: {
  ref: RefObject<HTMLInputElement | null>
  network: Network
}): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const state = useStore(sendState(latchkey))
  const ids = { field: useId(), told: useId() }
  const { receiver, status } = state
  return (
    <div className="send-receiver">
      <div className="money-box">
        <label className="money-label" htmlFor={ids.field}>
          {t.to}
        </label>
        <div className="money-line">
          <input
            ref={ref}
            id={ids.field}
            className="receiver-input"
            part="receiver"
            type="text"
            dir="auto"
            placeholder={t.receiverHint}
            aria-describedby={ids.told}
            aria-invalid={status === 'invalid-address'}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="done"
            value={receiver}
            onChange={({ target }) => setReceiver(latchkey, target.value)}
          />
          {receiver === '' ? <Paste field={ref} /> : <Clear field={ref} />}
        </div>
        <div id={ids.told} role="status">
          <LeadsTo state={state} said={saidOf(t, state, network)} />
        </div>
      </div>
      <Warnings warnings={notesOf(t, state)} />
    </div>
  )
}

/** Where the entry leads, in full: who pays compares it letter by letter. */
function LeadsTo({ state, said }: { state: SendState; said: string | undefined }): ReactElement | null {
  const { receiver, receiverAddress, receiverName } = state
  if (said !== undefined) return <p className="hint">{said}</p>
  if (receiverAddress === undefined) return null
  return (
    <>
      {receiverName !== undefined && receiverName !== receiver.trim() && <p className="name">{receiverName}</p>}
      <WholeAddress address={receiverAddress} />
    </>
  )
}

/** What is said of an entry that leads nowhere, or not yet. */
function saidOf(
  t: SendTexts,
  { receiver, receiverAddress, resolving }: SendState,
  network: Network,
): string | undefined {
  const entry = receiver.trim()
  if (entry === '' || receiverAddress !== undefined) return undefined
  if (resolving) return t.resolving
  return entry.includes('.') ? t.noName(entry, network.name) : t.noAddress(network.name)
}

type WithField = { field: RefObject<HTMLInputElement | null> }

function Paste({ field }: WithField): ReactElement | null {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const asking = useRef(false)
  if (typeof navigator.clipboard?.readText !== 'function') return null
  const paste = async (): Promise<void> => {
    if (asking.current) return
    asking.current = true
    try {
      const text = (await navigator.clipboard.readText()).trim()
      if (text !== '') setReceiver(latchkey, text)
    } catch {
      showToast(latchkey, t.pasteFailed)
    } finally {
      asking.current = false
      field.current?.focus()
    }
  }
  return (
    <button type="button" className="small-button" data-strong="" onClick={() => void paste()}>
      {t.paste}
    </button>
  )
}

function Clear({ field }: WithField): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const clear = (): void => {
    setReceiver(latchkey, '')
    field.current?.focus()
  }
  return (
    <button type="button" className="icon-button" aria-label={t.clear} onClick={clear}>
      <Icon name="close" size={16} />
    </button>
  )
}
