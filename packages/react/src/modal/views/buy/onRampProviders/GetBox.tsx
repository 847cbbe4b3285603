import { getBuySelection, tokenImageUrl } from '@latchkey/core/internal'
import type { BuyState } from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { buyMessages } from '@latchkey/modal/messages'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { describeFailure } from '../../../describeFailure.ts'
import { truncateAmount } from '../../../money/amounts.ts'
import { TokenButton } from '../../../money/TokenButton.tsx'

/** The amount that the user gets, as quoted by the provider. */
export function GetBox({ state }: { state: BuyState }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(buyMessages)
  const { money } = useModalMessages()
  const { purchase } = getBuySelection(state)
  return (
    <div className="money-box">
      <span className="money-label">{t.youGet}</span>
      <div className="money-line">
        <Got state={state} />
        <TokenButton
          token={purchase && { symbol: purchase.symbol, iconUrl: tokenImageUrl(latchkey, purchase.symbol) }}
          label={`${money.buyToken}: ${purchase?.symbol ?? ''}`}
          onPress={() => pushView(latchkey, { view: 'OnRampTokenSelect', params: {} })}
        />
      </div>
      <NoQuote state={state} />
    </div>
  )
}

function Got({ state: { quote } }: { state: BuyState }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  return (
    <p className="buy-get figures" role="status">
      {quote.status === 'ready' &&
        t.estimate({ amount: decimalText(locale, truncateAmount(quote.quote.purchase.amount)) })}
      {quote.status === 'waiting' && (
        <>
          <span className="skeleton" />
          <span className="hidden">{t.quoteLoading}</span>
        </>
      )}
      {(quote.status === 'none' || quote.status === 'failed') && <span aria-hidden="true">{'–'}</span>}
    </p>
  )
}

/** Explains why there is no quote. */
function NoQuote({ state }: { state: BuyState }): ReactElement | null {
  const strings = useModalMessages()
  const t = useFlowMessages(buyMessages)
  const { quote } = state
  if (quote.status !== 'failed') return null
  const { provider } = getBuySelection(state)
  const isUnpriced = isLatchkeyError(quote.error, 'buy/no-quote')
  return (
    <p className="hint" role="alert">
      {isUnpriced ? t.noQuote({ provider: provider?.name ?? '' }) : describeFailure(strings, quote.error)}
    </p>
  )
}
