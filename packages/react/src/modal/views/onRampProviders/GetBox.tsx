import { pushView } from '@latchkey/core'
import { chosenToBuy, type BuyState } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { buyPart } from '../../../strings/buy/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { describeFailure } from '../../describeFailure.ts'
import { cutAmount } from '../../money/amounts.ts'
import { TokenButton } from '../../money/TokenButton.tsx'

/** What one gets, as far as the provider has told: never a number that nobody said. */
export function GetBox({ state }: { state: BuyState }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { money } = useStrings()
  const { purchase } = chosenToBuy(state)
  return (
    <div className="money-box">
      <span className="money-label">{t.get}</span>
      <div className="money-line">
        <Got state={state} />
        <TokenButton
          token={purchase}
          label={`${money.buyToken}: ${purchase?.symbol ?? ''}`}
          onPress={() => pushView(latchkey, { view: 'OnRampTokenSelect', params: {} })}
        />
      </div>
      <NoQuote state={state} />
    </div>
  )
}

function Got({ state: { quote } }: { state: BuyState }): ReactElement {
  const t = usePart(buyPart)
  return (
    <p className="buy-get figures" role="status">
      {quote.status === 'ready' && t.about(cutAmount(quote.quote.purchase.amount))}
      {quote.status === 'waiting' && (
        <>
          <span className="skeleton" />
          <span className="hidden">{t.asking}</span>
        </>
      )}
      {(quote.status === 'none' || quote.status === 'failed') && <span aria-hidden="true">{'–'}</span>}
    </p>
  )
}

/** Why there is no price. */
function NoQuote({ state }: { state: BuyState }): ReactElement | null {
  const strings = useStrings()
  const t = usePart(buyPart)
  const { quote } = state
  if (quote.status !== 'failed') return null
  const { provider } = chosenToBuy(state)
  const isUnpriced = isLatchkeyError(quote.error, 'buy/no-quote')
  return (
    <p className="hint" role="alert">
      {isUnpriced ? t.noQuote(provider?.name ?? '') : describeFailure(strings, quote.error)}
    </p>
  )
}
