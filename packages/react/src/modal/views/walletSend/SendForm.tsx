import { pushView, type AccountState } from '@latchkey/core'
import { chooseToken, loadTokens, nativeToken, reviewSend, sendState, type SendStatus } from '@latchkey/core/money'
import { useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { usePart } from '../../../strings/part.tsx'
import { sendPart } from '../../../strings/send/texts.ts'
import { useStore } from '../../../useStore.ts'
import { useFirstField } from '../../money/useFirstField.ts'
import { AmountBox } from './AmountBox.tsx'
import { FeeFacts } from './FeeFacts.tsx'
import { ReceiverBox } from './ReceiverBox.tsx'

/** The form of a payment. Its button says what is missing, and leads there. */
export function SendForm({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const { status, resolving } = useStore(sendState(latchkey))
  const [reviewing, setReviewing] = useState(false)
  const amount = useRef<HTMLInputElement>(null)
  const receiver = useRef<HTMLInputElement>(null)
  useBeginning(account)
  useFirstField()

  const review = async (): Promise<void> => {
    if (reviewing) return
    setReviewing(true)
    try {
      goTo(await reviewSend(latchkey))
    } finally {
      setReviewing(false)
    }
  }
  const goTo = (missing: SendStatus): void => {
    if (missing === 'ready') return
    if (missing === 'select-token') return pushView(latchkey, { view: 'WalletSendSelectToken', params: {} })
    const field = missing === 'add-address' || missing === 'invalid-address' ? receiver : amount
    field.current?.focus()
  }
  const isBusy = reviewing || resolving
  return (
    <form
      className="send-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A wallet that leaves meanwhile takes the view with it.
        if (status === 'ready') review().catch(() => {})
        else goTo(status)
      }}
    >
      <AmountBox ref={amount} />
      <ReceiverBox ref={receiver} network={account.network} />
      <FeeFacts network={account.network} />
      <button
        type="submit"
        className="button"
        part={status === 'ready' ? 'primary' : undefined}
        data-primary={status === 'ready' ? '' : undefined}
        aria-busy={isBusy}
      >
        {isBusy && <span className="spinner" />}
        {t.next[status]}
      </button>
    </form>
  )
}

/** Reads what there is to send, and begins with the network's own currency. */
function useBeginning({ network, account }: AccountState & { status: 'connected' }): void {
  const latchkey = useLatchkey()
  useLayoutEffect(() => {
    const { token, tokensStatus } = sendState(latchkey).getState()
    if (token === undefined) chooseToken(latchkey, nativeToken(network, undefined, []))
    // What cannot be read is in the state.
    if (tokensStatus === 'idle') loadTokens(latchkey).catch(() => {})
    // The form is another one for each account and network.
  }, [latchkey, network, account])
}
