import { pushView } from '@latchkey/core'
import { buyProblem, chosenToBuy, setPaymentAmount, type BuyLimit, type BuyState } from '@latchkey/core/money'
import type { ReactElement, Ref } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { buyPart } from '../../../strings/buy/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { AmountField } from '../../money/AmountField.tsx'
import { moneyText } from '../../money/amounts.ts'
import { TokenButton } from '../../money/TokenButton.tsx'

/** How much is paid, in which currency, and what may be paid in which way. */
export function PayBox({ state, ref }: { state: BuyState; ref: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
  const t = usePart(buyPart)
  const { money } = useStrings()
  const { payment } = chosenToBuy(state)
  const currency = payment?.id ?? ''
  const problem = buyProblem(state)
  const sayLimit = ({ method, min, max }: BuyLimit): string => {
    const range = `${moneyText(locale, { amount: min, currency })} – ${moneyText(locale, { amount: max, currency })}`
    return method === 'card' ? t.limitCard(range) : t.limitBank(range)
  }
  const limits = payment?.limits.map((limit) => sayLimit(limit)) ?? []
  return (
    <div className="money-box">
      <span className="money-label" aria-hidden="true">
        {t.pay}
      </span>
      <div className="money-line">
        <AmountField
          ref={ref}
          label={t.amountIn(currency)}
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
