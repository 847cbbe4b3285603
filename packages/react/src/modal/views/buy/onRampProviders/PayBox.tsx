import { buyProblem, getBuySelection, getPaymentMethod, getQuickAmounts } from '@latchkey/core/internal'
import {
  choosePaymentMethod,
  setPaymentAmount,
  type BuyLimit,
  type BuyMethod,
  type BuyState,
} from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { buyMessages, type BuyMessages } from '@latchkey/modal/messages'
import { useId, type ReactElement, type Ref } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { moneyText, wholeMoneyText } from '../../../money/amounts.ts'
import { TokenButton } from '../../../money/TokenButton.tsx'

/** The amount, currency and method to pay with. */
export function PayBox({ state, elementRef }: { state: BuyState; elementRef: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const { money } = useModalMessages()
  const { payment } = getBuySelection(state)
  const currency = payment?.id ?? ''
  const problem = buyProblem(state)
  const limits = payment?.limits ?? []
  const describeLimit = (limit: BuyLimit): string => {
    const range = rangeText(locale, limit, currency)
    return limit.method === 'card' ? t.limitCard({ range }) : t.limitBank({ range })
  }
  return (
    <div className="money-box">
      <span className="money-label" aria-hidden="true">
        {t.youPay}
      </span>
      <div className="money-line">
        <AmountField
          elementRef={elementRef}
          label={t.amountIn({ currency })}
          value={state.amount}
          onChange={(amount) => setPaymentAmount(latchkey, amount)}
          hint={limits.map((limit) => describeLimit(limit)).join(', ')}
          invalid={problem !== undefined && problem.kind !== 'amount-missing'}
          isFirst
        />
        <TokenButton
          token={{ symbol: currency }}
          label={`${money.buyCurrency}: ${currency}`}
          onPress={() => pushView(latchkey, { view: 'OnRampFiatSelect', params: {} })}
        />
      </div>
      <QuickAmounts state={state} currency={currency} />
      <PaymentMethods state={state} limits={limits} currency={currency} />
    </div>
  )
}

function QuickAmounts({ state, currency }: { state: BuyState; currency: string }): ReactElement | null {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const amounts = getQuickAmounts(state)
  if (amounts.length === 0) return null
  return (
    <div className="share-buttons" role="group" aria-label={t.quickAmounts}>
      {amounts.map((amount) => (
        <button
          key={amount}
          type="button"
          className="small-button figures"
          data-strong=""
          onClick={() => setPaymentAmount(latchkey, amount)}
        >
          {wholeMoneyText(locale, { amount, currency })}
        </button>
      ))}
    </div>
  )
}

type PaymentMethodsProps = { state: BuyState; limits: readonly BuyLimit[]; currency: string }

/** The methods and their limits. The first one that accepts the amount is selected, until the user chooses one. */
function PaymentMethods({ state, limits, currency }: PaymentMethodsProps): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const name = useId()
  const selected = getPaymentMethod(state) ?? state.method ?? limits[0]?.method
  return (
    <fieldset className="buy-methods">
      <legend>{t.payWith}</legend>
      {limits.map((limit) => {
        const { method } = limit
        const [title, range] = [methodName(t, method), rangeText(locale, limit, currency)]
        return (
          <label key={method} className="buy-method">
            <span className="name">{title}</span>
            <span className="sub figures">{range}</span>
            <input
              type="radio"
              name={name}
              checked={method === selected}
              onChange={() => choosePaymentMethod(latchkey, method)}
            />
          </label>
        )
      })}
    </fieldset>
  )
}

function methodName({ methodCard, methodBank }: BuyMessages, method: BuyMethod): string {
  return method === 'card' ? methodCard : methodBank
}

function rangeText(locale: string | undefined, { min, max }: BuyLimit, currency: string): string {
  return `${moneyText(locale, { amount: min, currency })} – ${moneyText(locale, { amount: max, currency })}`
}
