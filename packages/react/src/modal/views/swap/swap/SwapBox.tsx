import { displayAmount } from '@latchkey/core'
import {
  chosenSwapToken,
  getCurrentQuote,
  parseSwapAmount,
  swapAmountInDollars,
  swapProblem,
} from '@latchkey/core/internal'
import { setSwapAmount, setSwapMax, swapState, type SwapSide, type SwapToken } from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { swapMessages } from '@latchkey/modal/messages'
import { isLatchkeyError } from '@latchkey/protocol'
import { useId, type ReactElement, type Ref } from 'react'
import { useLatchkey, useSurroundings } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { dollarText } from '../../../money/dollarText.ts'
import { TokenButton } from '../../../money/TokenButton.tsx'
import { shortAmount } from './amountText.ts'

/** The given token with its amount and balance. */
export function GivenSwapBox({ ref }: { ref: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(swapMessages)
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
          label={t.amount({ symbol: token?.symbol ?? '' })}
          hint={token?.balance === undefined ? undefined : `${t.balance} ${balanceText(token)}`}
          value={state.amount}
          invalid={problem?.code === 'incorrect-amount' || isShort}
          onChange={(value) => setSwapAmount(latchkey, value)}
        />
        <ChooseTokenButton side="from" token={token} />
      </div>
      <div className="money-line" data-wraps="">
        <DollarValue token={token} units={parseSwapAmount(state)} />
        {token?.balance !== undefined && (
          <span className="money-line">
            <span className="money-label figures" aria-hidden="true">
              <bdi dir="ltr">{balanceText(token)}</bdi>
            </span>
            <button
              type="button"
              className="small-button"
              data-strong=""
              aria-label={t.maxOf({ symbol: token.symbol })}
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

/** The received token with the quoted amount. */
export function WantedSwapBox(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(swapMessages)
  const id = useId()
  const state = useStore(swapState(latchkey))
  const token = chosenSwapToken(state, 'to')
  const units = getCurrentQuote(state)?.toAmount
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
            label={t.estimate({ symbol: token?.symbol ?? '' })}
            value={token === undefined || units === undefined ? '' : shortAmount(units, token.decimals)}
            onChange={() => {}}
          />
        )}
        <ChooseTokenButton side="to" token={token} />
      </div>
      <div className="money-line" data-wraps="">
        <DollarValue token={token} units={units} />
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

function ChooseTokenButton({ side, token }: { side: SwapSide; token: SwapToken | undefined }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(swapMessages)
  return (
    <TokenButton
      token={token}
      label={token === undefined ? t.selectToken : t.otherToken({ symbol: token.symbol })}
      onPress={() => pushView(latchkey, { view: 'SwapSelectToken', params: { side } })}
    />
  )
}

/** The value in dollars. An unknown value is shown as unknown, never as zero. */
function DollarValue({ token, units }: { token: SwapToken | undefined; units: bigint | undefined }): ReactElement {
  const { locale } = useSurroundings()
  const t = useFlowMessages(swapMessages)
  const dollars = swapAmountInDollars(token, units)
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
