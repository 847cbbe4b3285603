import { enterReceiver, sendState, setReceiver, type LinkProblem, type SendState } from '@latchkey/core/money'
import { pushView, showToast } from '@latchkey/modal'
import { sendMessages, type SendMessages } from '@latchkey/modal/messages'
import type { Network } from '@latchkey/protocol'
import { useId, useRef, type ReactElement, type RefObject } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { Warnings } from '../../../money/Warnings.tsx'
import { Icon } from '../../../parts/index.tsx'
import { notesOf } from './notes.ts'
import { ReceiverChoices } from './ReceiverChoices.tsx'
import { SaveContact } from './SaveContact.tsx'
import { WholeAddress } from './WholeAddress.tsx'

/** The receiver: an address or a name, the resolved address, and warnings. */
export function ReceiverBox({
  elementRef,
  network,
}: {
  elementRef: RefObject<HTMLInputElement | null>
  network: Network
}): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
  const state = useStore(sendState(latchkey))
  const ids = { field: useId(), notice: useId() }
  const { receiver, status } = state
  return (
    <div className="send-receiver">
      <div className="money-box">
        <label className="money-label" htmlFor={ids.field}>
          {t.to}
        </label>
        <div className="money-line">
          <input
            ref={elementRef}
            id={ids.field}
            className="receiver-input"
            part="receiver"
            type="text"
            dir="auto"
            placeholder={t.receiverHint}
            aria-describedby={ids.notice}
            aria-invalid={status === 'invalid-address'}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="done"
            value={receiver}
            onChange={({ target }) => enterReceiver(latchkey, target.value)}
          />
          {receiver === '' ? (
            <>
              <Scan />
              <Paste field={elementRef} />
            </>
          ) : (
            <Clear field={elementRef} />
          )}
        </div>
        <div id={ids.notice} role="status">
          <ResolvedAddress state={state} notice={entryNotice(t, state, { network, networks: latchkey.networks })} />
        </div>
      </div>
      {receiver === '' && <ReceiverChoices />}
      {status === 'ready' && state.receiverAddress !== undefined && (
        <SaveContact key={state.receiverAddress} address={state.receiverAddress} name={state.receiverName} />
      )}
      <Warnings warnings={notesOf(t, state)} />
    </div>
  )
}

/** The full resolved address, so that the user can compare every character. */
function ResolvedAddress({ state, notice }: { state: SendState; notice: string | undefined }): ReactElement | null {
  const { receiver, receiverAddress, receiverName } = state
  if (notice !== undefined) return <p className="hint">{notice}</p>
  if (receiverAddress === undefined) return null
  return (
    <>
      {receiverName !== undefined && receiverName !== receiver.trim() && <p className="name">{receiverName}</p>}
      <WholeAddress address={receiverAddress} />
    </>
  )
}

/** Returns the notice for an entry that is not resolved. */
function entryNotice(
  t: SendMessages,
  { receiver, receiverAddress, resolving, linkProblem }: SendState,
  { network, networks }: { network: Network; networks: readonly Network[] },
): string | undefined {
  const entry = receiver.trim()
  if (entry === '' || receiverAddress !== undefined) return undefined
  if (resolving) return t.resolving
  if (linkProblem !== undefined) return linkNotice(t, linkProblem, networks)
  return entry.includes('.') ? t.noName({ name: entry, network: network.name }) : t.noAddress({ network: network.name })
}

function linkNotice(t: SendMessages, problem: LinkProblem, networks: readonly Network[]): string {
  if (problem.kind === 'invalid') return t.links.invalid
  if (problem.kind === 'unknown-token') return t.links.unknownToken
  const wanted = networks.find(({ caipNetworkId }) => caipNetworkId === problem.chainId)
  return wanted === undefined ? t.links.otherNetwork : t.links.switchNetwork({ network: wanted.name })
}

type WithField = { field: RefObject<HTMLInputElement | null> }

function Paste({ field }: WithField): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
  const isReading = useRef(false)
  if (typeof navigator.clipboard?.readText !== 'function') return null
  const paste = async (): Promise<void> => {
    if (isReading.current) return
    isReading.current = true
    try {
      const text = (await navigator.clipboard.readText()).trim()
      if (text !== '') enterReceiver(latchkey, text)
    } catch {
      showToast(latchkey, t.pasteFailed)
    } finally {
      isReading.current = false
      field.current?.focus()
    }
  }
  return (
    <button type="button" className="small-button" data-strong="" onClick={() => void paste()}>
      {t.paste}
    </button>
  )
}

/** Opens the camera. */
function Scan(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages).scan
  return (
    <button
      type="button"
      className="small-button"
      data-strong=""
      aria-label={t.openLabel}
      title={t.openLabel}
      onClick={() => pushView(latchkey, { view: 'ScanCode', params: {} })}
    >
      <Icon name="qr" />
    </button>
  )
}

function Clear({ field }: WithField): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
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
