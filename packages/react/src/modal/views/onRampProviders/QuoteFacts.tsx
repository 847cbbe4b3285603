import type { BuyState } from '@latchkey/core/money'
import type { ReactElement } from 'react'
import { useSurroundings } from '../../../context.ts'
import { buyPart } from '../../../strings/buy/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { moneyText } from '../../money/amounts.ts'

/** What a price is made of. */
export function QuoteFacts({ state: { quote: state, amount } }: { state: BuyState }): ReactElement | null {
  const { locale } = useSurroundings()
  const t = usePart(buyPart)
  if (state.status !== 'ready') return null
  const { total, providerFee, networkFee, method } = state.quote
  return (
    <dl className="facts figures">
      {Number(total.amount) !== Number(amount) && (
        <div>
          <dt>{t.pay}</dt>
          <dd>{moneyText(locale, total)}</dd>
        </div>
      )}
      {providerFee !== undefined && (
        <div>
          <dt>{t.feeFact}</dt>
          <dd>
            {moneyText(locale, providerFee)} <small>{method === 'card' ? t.card : t.bank}</small>
          </dd>
        </div>
      )}
      <div>
        <dt>{t.networkFee}</dt>
        <dd>{moneyText(locale, networkFee)}</dd>
      </div>
    </dl>
  )
}
