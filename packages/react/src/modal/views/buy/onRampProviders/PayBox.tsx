import { buyProblem, getBuySelection } from '@latchkey/core/internal'
import { setPaymentAmount, type BuyLimit, type BuyState } from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { buyMessages } from '@latchkey/modal/messages'
import type { ReactElement, Ref } from 'react'
import { useLatchkey, useSurroundings } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { moneyText } from '../../../money/amounts.ts'
import { TokenButton } from '../../../money/TokenButton.tsx'

/** The amount and currency to pay, with the limits of the payment methods. */
export function PayBox({ state, ref }: { state: BuyState; ref: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
  const t = useFlowMessages(buyMessages)
  const { money } = useModalMessages()
  const { payment } = getBuySelection(state)
  const currency = payment?.id ?? ''
  const problem = buyProblem(state)
  const describeLimit = ({ method, min, max }: BuyLimit): string => {
    const range = `${moneyText(locale, { amount: min, currency })} – ${moneyText(locale, { amount: max, currency })}`
    return method === 'card' ? t.limitCard({ range }) : t.limitBank({ range })
  }
  const limits = payment?.limits.map((limit) => describeLimit(limit)) ?? []
  return (
    <div className="money-box">
      <span className="money-label" aria-hidden="true">
        {t.youPay}
      </span>
      <div className="money-line">
        <AmountField
          ref={ref}
          label={t.amountIn({ currency })}
          value={state.amount}
          onChange={(amount) => setPaymentAmount(latchkey, amount)}
          hint={limits.join(', ')}
          invalid={problem !== undefined && problem.kind !== 'amount-missing'}
          isFirst
        />
        <TokenButton
          token={{ symbol: currency }}
          label={`${money.buyCurrency}: ${currency}`}
          onPress={() => pushView(latchkey, { view: 'OnRampFiatSelect', params: {} })}
        />
      </div>
      {limits.map((limit) => (
        <span key={limit} className="money-label figures" aria-hidden="true">
          {limit}
        </span>
      ))}
    </div>
  )
}
