import { displayAmount, pushView } from '@latchkey/core'
import {
  chosenSwapToken,
  knownQuote,
  setSwapAmount,
  setSwapMax,
  swapAmountOf,
  swapDollarsOf,
  swapProblem,
  swapState,
  type SwapSide,
  type SwapToken,
} from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import { useId, type ReactElement, type Ref } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { usePart } from '../../../strings/part.tsx'
import { swapPart } from '../../../strings/swap/texts.ts'
import { useStore } from '../../../useStore.ts'
import { AmountField } from '../../money/AmountField.tsx'
import { dollarText } from '../../money/figures.ts'
import { TokenButton } from '../../money/TokenButton.tsx'
import { shortAmount } from './words.ts'

/** What is given: how much of what, and how much there is. */
export function GivenBox({ ref }: { ref: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  const id = useId()
  const state = useStore(swapState(latchkey))
  const token = chosenSwapToken(state, 'from')
  const problem = swapProblem(latchkey, state)
  const isShort = problem?.code === 'failed' && isLatchkeyError(problem.error, 'swap/insufficient-balance')
  return (
    <div className="money-box" role="group" aria-labelledby={id}>
      <p id={id} className="money-label">
        {t.pay}
      </p>
      <div className="money-line">
        <AmountField
          ref={ref}
          isFirst
          label={t.amount(token?.symbol ?? '')}
          hint={token?.balance === undefined ? undefined : `${t.balance} ${balanceText(token)}`}
          value={state.amount}
          invalid={problem?.code === 'incorrect-amount' || isShort}
          onChange={(value) => setSwapAmount(latchkey, value)}
        />
        <Choose side="from" token={token} />
      </div>
      <div className="money-line" data-wraps="">
        <Worth token={token} units={swapAmountOf(state)} />
        {token?.balance !== undefined && (
          <span className="money-line">
            <span className="money-label figures" aria-hidden="true">
              <bdi dir="ltr">{balanceText(token)}</bdi>
            </span>
            <button
              type="button"
              className="small-button"
              data-strong=""
              aria-label={t.maxOf(token.symbol)}
              onClick={() => setSwapMax(latchkey)}
            >
              {t.max}
            </button>
          </span>
        )}
      </div>
    </div>
  )
}

/** What it gives, as far as the price is known. */
export function WantedBox(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  const id = useId()
  const state = useStore(swapState(latchkey))
  const token = chosenSwapToken(state, 'to')
  const units = knownQuote(state)?.toAmount
  const isWaiting = state.quote.status === 'waiting' && units === undefined
  return (
    <div className="money-box" role="group" aria-labelledby={id}>
      <p id={id} className="money-label">
        {t.receive}
      </p>
      <div className="money-line">
        {isWaiting ? (
          <span className="skeleton swap-skeleton" />
        ) : (
          <AmountField
            readOnly
            label={t.estimate(token?.symbol ?? '')}
            value={token === undefined || units === undefined ? '' : shortAmount(units, token.decimals)}
            onChange={() => {}}
          />
        )}
        <Choose side="to" token={token} />
      </div>
      <div className="money-line" data-wraps="">
        <Worth token={token} units={units} />
        {token?.balance !== undefined && (
          <span className="money-label figures">
            <span className="hidden">{t.balance} </span>
            <bdi dir="ltr">{balanceText(token)}</bdi>
          </span>
        )}
      </div>
      <p role="status" className="hidden">
        {isWaiting && t.waiting}
      </p>
    </div>
  )
}

function Choose({ side, token }: { side: SwapSide; token: SwapToken | undefined }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  return (
    <TokenButton
      token={token}
      label={token === undefined ? t.selectToken : t.otherToken(token.symbol)}
      onPress={() => pushView(latchkey, { view: 'SwapSelectToken', params: { side } })}
    />
  )
}

/** What it is worth; that nobody knows is said, and never that it is nothing. */
function Worth({ token, units }: { token: SwapToken | undefined; units: bigint | undefined }): ReactElement {
  const { locale } = useSurroundings()
  const t = usePart(swapPart)
  const dollars = swapDollarsOf(token, units)
  if (dollars !== undefined) {
    return (
      <span className="money-label figures">
        <bdi dir="ltr">{dollarText(locale, dollars)}</bdi>
      </span>
    )
  }
  return <span className="money-label">{token !== undefined && token.price === undefined && t.noPrice}</span>
}

function balanceText({ balance, decimals, symbol }: SwapToken): string {
  return `${displayAmount(balance, decimals)} ${symbol}`
}
