import { formatAmount } from '@latchkey/core'
import {
  chosenSwapToken,
  getCurrentQuote,
  parseSwapAmount,
  swapAmountInDollars,
  swapProblem,
} from '@latchkey/core/internal'
import {
  setSwapAmount,
  setSwapAmountInDollars,
  setSwapMax,
  setSwapShare,
  swapState,
  type SwapSide,
  type SwapState,
  type SwapToken,
} from '@latchkey/core/money'
import { pushView } from '@latchkey/modal'
import { swapMessages } from '@latchkey/modal/messages'
import { isLatchkeyError } from '@latchkey/protocol'
import { useId, useState, type ReactElement, type Ref } from 'react'
import { useLatchkey, useSurroundings } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { dollarText } from '../../../money/dollarText.ts'
import { ShareButtons } from '../../../money/ShareButtons.tsx'
import { TokenButton } from '../../../money/TokenButton.tsx'
import { Icon } from '../../../parts/index.tsx'
import { heldText, shortAmount } from './amountText.ts'

/** The given token with its amount and balance. */
export function GivenSwapBox({ ref }: { ref: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
  const t = useFlowMessages(swapMessages)
  const id = useId()
  const state = useStore(swapState(latchkey))
  const token = chosenSwapToken(state, 'from')
  const problem = swapProblem(latchkey, state)
  const [wantsDollars, setWantsDollars] = useState(state.dollars !== undefined)
  const inDollars = wantsDollars && token?.price !== undefined
  const isShort = problem?.code === 'failed' && isLatchkeyError(problem.error, 'swap/insufficient-balance')
  return (
    <div className="money-box" role="group" aria-labelledby={id}>
      <p id={id} className="money-label">
        {t.pay}
      </p>
      <div className="money-line">
        {inDollars && <span aria-hidden="true">{'$'}</span>}
        <AmountField
          ref={ref}
          isFirst
          label={inDollars ? t.amountInDollars : t.amount({ symbol: token?.symbol ?? '' })}
          hint={token?.balance === undefined ? undefined : `${t.balance} ${heldText(locale, token.balance, token)}`}
          value={inDollars ? (state.dollars ?? cents(state)) : state.amount}
          invalid={problem?.code === 'incorrect-amount' || isShort}
          onChange={(value) => (inDollars ? setSwapAmountInDollars : setSwapAmount)(latchkey, value)}
        />
        <ChooseTokenButton side="from" token={token} />
      </div>
      <div className="money-line" data-wraps="">
        {token?.price === undefined ? (
          <DollarValue token={token} units={undefined} />
        ) : (
          <ConvertedAmount state={state} token={token} inDollars={inDollars} turn={() => setWantsDollars(!inDollars)} />
        )}
        {token?.balance !== undefined && (
          <span className="money-label figures" aria-hidden="true">
            <bdi dir="ltr">{heldText(locale, token.balance, token)}</bdi>
          </span>
        )}
      </div>
      {token?.balance !== undefined && (
        <ShareButtons
          labelOf={(percent) => t.share({ percent })}
          max={t.max}
          maxLabel={t.maxOf({ symbol: token.symbol })}
          onShare={(percent) => setSwapShare(latchkey, percent)}
          onMax={() => setSwapMax(latchkey)}
        />
      )}
    </div>
  )
}

/** The amount in the other unit, with a button that switches the units. */
function ConvertedAmount({
  state,
  token,
  inDollars,
  turn,
}: {
  state: SwapState
  token: SwapToken
  inDollars: boolean
  turn(): void
}): ReactElement {
  const { locale } = useSurroundings()
  const t = useFlowMessages(swapMessages)
  const { symbol } = token
  const dollars = swapAmountInDollars(token, parseSwapAmount(state))
  const other = inDollars ? `${tokensText(locale, state, token)} ${symbol}` : dollarText(locale, dollars ?? 0)
  return (
    <button type="button" className="small-button figures" onClick={turn}>
      <span className="hidden">{inDollars ? t.countInTokens({ symbol }) : t.countInDollars}</span>
      <bdi dir="ltr">{other}</bdi>
      <Icon name="turn" size={16} />
    </button>
  )
}

function tokensText(locale: string | undefined, state: SwapState, { decimals }: SwapToken): string {
  return decimalText(locale, shortAmount(parseSwapAmount(state) ?? 0n, decimals))
}

/** Converts the amount to dollars, rounded down to whole cents. */
function cents(state: SwapState): string {
  const dollars = swapAmountInDollars(chosenSwapToken(state, 'from'), parseSwapAmount(state))
  return dollars === undefined ? '' : formatAmount(BigInt(Math.floor(dollars * 100)), 2)
}

/** The received token with the quoted amount. */
export function WantedSwapBox(): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
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
            value={
              token === undefined || units === undefined ? '' : decimalText(locale, shortAmount(units, token.decimals))
            }
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
            <bdi dir="ltr">{heldText(locale, token.balance, token)}</bdi>
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
