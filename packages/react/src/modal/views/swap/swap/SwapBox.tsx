import { chosenSwapToken, getSwapUnits, swapAmountInDollars, swapProblem } from '@latchkey/core/internal'
import {
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
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { AmountField } from '../../../money/AmountField.tsx'
import { ConvertedAmount } from '../../../money/ConvertedAmount.tsx'
import { dollarEntry, dollarText } from '../../../money/dollarText.ts'
import { ShareButtons } from '../../../money/ShareButtons.tsx'
import { TokenButton } from '../../../money/TokenButton.tsx'
import { amountText, formatHeldAmount } from './amountText.ts'
import { SwapAmountField } from './SwapAmountField.tsx'

/** The given token with its amount and balance. */
export function GivenSwapBox({ elementRef }: { elementRef: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const id = useId()
  const state = useStore(swapState(latchkey))
  const token = chosenSwapToken(state, 'from')
  const problem = swapProblem(latchkey, state)
  const [wantsDollars, setWantsDollars] = useState(state.dollars !== undefined)
  const inDollars = wantsDollars && token?.price !== undefined
  const isShort = problem?.code === 'failed' && isLatchkeyError(problem.error, 'swap/insufficient-balance')
  const isWrong = isShort || (problem?.code === 'incorrect-amount' && state.exact === 'from')
  const balance =
    token?.balance === undefined ? undefined : `${t.balance} ${formatHeldAmount(locale, token.balance, token)}`
  return (
    <div className="money-box" role="group" aria-labelledby={id}>
      <p id={id} className="money-label">
        {t.pay}
      </p>
      <div className="money-line">
        {inDollars && <span aria-hidden="true">{'$'}</span>}
        {inDollars ? (
          <AmountField
            elementRef={elementRef}
            isFirst
            label={t.amountInDollars}
            hint={balance}
            value={state.dollars ?? dollarEntry(swapAmountInDollars(token, getSwapUnits(state, 'from')))}
            invalid={isWrong}
            onChange={(value) => setSwapAmountInDollars(latchkey, value)}
          />
        ) : (
          <SwapAmountField elementRef={elementRef} side="from" hint={balance} invalid={isWrong} />
        )}
        <ChooseTokenButton side="from" token={token} />
      </div>
      <div className="money-line" data-wraps="">
        {token?.price === undefined ? (
          <DollarValue token={token} units={undefined} />
        ) : (
          <GivenWorth state={state} token={token} inDollars={inDollars} turn={() => setWantsDollars(!inDollars)} />
        )}
        {token?.balance !== undefined && (
          <span className="money-label figures" aria-hidden="true">
            <bdi dir="ltr">{formatHeldAmount(locale, token.balance, token)}</bdi>
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

type GivenWorthProps = { state: SwapState; token: SwapToken; inDollars: boolean; turn(): void }

/** The given amount in the other unit. */
function GivenWorth({ state, token, inDollars, turn }: GivenWorthProps): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const units = getSwapUnits(state, 'from')
  return (
    <ConvertedAmount
      tokens={amountText(locale, units ?? 0n, token)}
      dollars={swapAmountInDollars(token, units)}
      inDollars={inDollars}
      label={inDollars ? t.countInTokens({ symbol: token.symbol }) : t.countInDollars}
      turn={turn}
    />
  )
}

/** The received token with the quoted amount, or with an exact one. */
export function WantedSwapBox({ elementRef }: { elementRef: Ref<HTMLInputElement> }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const id = useId()
  const state = useStore(swapState(latchkey))
  const token = chosenSwapToken(state, 'to')
  const units = getSwapUnits(state, 'to')
  const isWaiting = state.quote.status === 'waiting' && state.quote.last === undefined
  const isWrong = swapProblem(latchkey, state)?.code === 'incorrect-amount' && state.exact === 'to'
  return (
    <div className="money-box" role="group" aria-labelledby={id}>
      <p id={id} className="money-label">
        {t.receive}
      </p>
      <div className="money-line">
        <SwapAmountField
          elementRef={elementRef}
          side="to"
          hint={state.quotesOutput ? undefined : t.outputUnknown}
          invalid={isWrong}
        />
        <ChooseTokenButton side="to" token={token} />
      </div>
      <div className="money-line" data-wraps="">
        <DollarValue token={token} units={units} />
        {token?.balance !== undefined && (
          <span className="money-label figures">
            <span className="hidden">{t.balance} </span>
            <bdi dir="ltr">{formatHeldAmount(locale, token.balance, token)}</bdi>
          </span>
        )}
      </div>
      {!state.quotesOutput && (
        <p className="swap-read-only" aria-hidden="true">
          {t.outputUnknown}
        </p>
      )}
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
  const { locale } = useLatchkeyContext()
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
