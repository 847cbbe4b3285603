import type { AccountState } from '@latchkey/core'
import { loadTokens, nativeToken } from '@latchkey/core/internal'
import { chooseToken, sendState, type SendStatus } from '@latchkey/core/money'
import { pushView, reviewSendFlow } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import { useLayoutEffect, useRef, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { useFirstField } from '../../../money/useFirstField.ts'
import { AmountBox } from './AmountBox.tsx'
import { FeeFacts } from './FeeFacts.tsx'
import { ReceiverBox } from './ReceiverBox.tsx'

/** The payment form. Its button names the missing value and focuses its field. */
export function SendForm({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(sendMessages)
  const { status, resolving } = useStore(sendState(latchkey))
  const [reviewing, setReviewing] = useState(false)
  const amount = useRef<HTMLInputElement>(null)
  const receiver = useRef<HTMLInputElement>(null)
  useInitialTokens(account)
  useFirstField()

  const review = async (): Promise<void> => {
    if (reviewing) return
    setReviewing(true)
    try {
      goTo(await reviewSendFlow(latchkey))
    } finally {
      setReviewing(false)
    }
  }
  const goTo = (missing: SendStatus): void => {
    if (missing === 'ready') return
    const isToken = missing === 'select-token' || missing === 'unsupported-token'
    if (isToken) return pushView(latchkey, { view: 'WalletSendSelectToken', params: {} })
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
        // If the wallet disconnects while the review is pending, the view closes.
        if (status === 'ready') review().catch(() => {})
        else goTo(status)
      }}
    >
      <AmountBox elementRef={amount} />
      <ReceiverBox elementRef={receiver} network={account.network} />
      <FeeFacts network={account.network} />
      <div className="footer">
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
      </div>
    </form>
  )
}

/** Loads the tokens, and selects the native currency. */
function useInitialTokens({ network, account }: AccountState & { status: 'connected' }): void {
  const latchkey = useLatchkey()
  useLayoutEffect(() => {
    const { token, tokensStatus } = sendState(latchkey).getState()
    if (token === undefined) chooseToken(latchkey, nativeToken(network, undefined, []))
    // The state contains the failure.
    if (tokensStatus === 'idle') loadTokens(latchkey).catch(() => {})
    // Each account and network has its own form.
  }, [latchkey, network, account])
}
