import { buyProblem, getBuyQuote, getBuySelection, type BuyProblem } from '@latchkey/core/internal'
import { buyState, startBuy, type BuyState } from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { buyMessages, type BuyMessages } from '@latchkey/modal/messages'
import { useRef, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { moneyText } from '../../../money/amounts.ts'
import { useFirstField } from '../../../money/useFirstField.ts'
import { GetBox } from './GetBox.tsx'
import { PayBox } from './PayBox.tsx'
import { Providers } from './Providers.tsx'
import { QuoteFacts } from './QuoteFacts.tsx'

/** The purchase form. Its button names the missing value and focuses its field. */
export function BuyForm(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { money } = useModalMessages()
  const state = useStore(buyState(latchkey))
  const amount = useRef<HTMLInputElement>(null)
  useFirstField()
  const { provider } = getBuySelection(state)
  const submit = (): void => {
    if (buyProblem(state) !== undefined) return amount.current?.focus()
    if (state.quote.status === 'failed') return void getBuyQuote(latchkey)
    // The window must open within this click.
    void startBuy(latchkey, { waiting: t.opening({ provider: provider?.name ?? '' }) })
    pushView(latchkey, { view: 'BuyInProgress', params: {} })
  }
  return (
    <form
      className="buy-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <PayBox state={state} elementRef={amount} />
      <GetBox state={state} />
      <QuoteFacts state={state} />
      <Providers state={state} />
      <div className="footer">
        <Submit state={state} />
        <button
          type="button"
          className="button"
          data-quiet=""
          onClick={() => pushView(latchkey, { view: 'OnRampActivity', params: {} })}
        >
          {money.bought}
        </button>
      </div>
    </form>
  )
}

function Submit({ state }: { state: BuyState }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const { account } = useModalMessages()
  const { provider } = getBuySelection(state)
  const problem = buyProblem(state)
  const isReady = problem === undefined
  return (
    <button
      type="submit"
      className="button"
      part={isReady ? 'primary' : undefined}
      data-primary={isReady ? '' : undefined}
    >
      {problem !== undefined
        ? describeProblem(t, locale, problem)
        : state.quote.status === 'failed'
          ? account.retry
          : t.continueTo({ provider: provider?.name ?? '' })}
    </button>
  )
}

function describeProblem(t: BuyMessages, locale: string | undefined, problem: BuyProblem): string {
  switch (problem.kind) {
    case 'amount-missing':
      return t.enterAmount
    case 'amount-invalid':
      return t.invalidAmount
    case 'amount-low':
      return t.minimum({ amount: moneyText(locale, { amount: problem.min, currency: problem.currency }) })
    case 'amount-high':
      return t.maximum({ amount: moneyText(locale, { amount: problem.max, currency: problem.currency }) })
  }
}
