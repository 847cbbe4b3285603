import type { BuyState } from '@latchkey/core/money'
import { buyMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { moneyText } from '../../../money/amounts.ts'
import { rateText } from './Providers.tsx'

/** The parts of a price: rate and fees. */
export function QuoteFacts({ state: { quote: state, amount } }: { state: BuyState }): ReactElement | null {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  if (state.status !== 'ready') return null
  const { total, providerFee, networkFee, method } = state.quote
  return (
    <dl className="facts figures">
      <div>
        <dt>{t.rate}</dt>
        <dd>
          <bdi dir="ltr">{rateText(locale, state.quote)}</bdi> <small>{t.rateHint}</small>
        </dd>
      </div>
      {Number(total.amount) !== Number(amount) && (
        <div>
          <dt>{t.youPay}</dt>
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
