import {
  getCurrentQuote,
  getPriceImpact,
  getSwapLimits,
  priceImpactWarningPercent,
  slippageBounds,
  swapFeeInDollars,
} from '@latchkey/core/internal'
import { setSlippage, swapState, type SwapLimits, type SwapQuote, type SwapState } from '@latchkey/core/money'
import { swapMessages, type SwapMessages } from '@latchkey/modal/messages'
import { useId, useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey, useSurroundings } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { atMost, dollarText } from '../../../money/dollarText.ts'
import { typedAmount } from '../../../money/typedAmount.ts'
import { Warnings, type Warning } from '../../../money/Warnings.tsx'
import { amountText, percentText } from './amountText.ts'
import { RefreshCountdown } from './RefreshCountdown.tsx'

/** The terms of the current quote. */
export function SwapFacts(): ReactElement | null {
  const latchkey = useLatchkey()
  const state = useStore(swapState(latchkey))
  const quote = getCurrentQuote(state)
  if (state.quote.status === 'none') return null
  return (
    <dl className="facts" aria-busy={quote === undefined}>
      <TermLines state={state} quote={quote} limits={quote && getSwapLimits(quote, state.slippage)} />
      <SlippageLine percent={state.slippage} />
    </dl>
  )
}

/** The warnings about the current quote, next to the button that they concern. */
export function SwapWarnings(): ReactElement {
  const t = useFlowMessages(swapMessages)
  const { locale } = useSurroundings()
  const state = useStore(swapState(useLatchkey()))
  const warnings = state.quote.status === 'none' ? [] : termWarnings(t, locale, state, getCurrentQuote(state))
  return <Warnings warnings={warnings} />
}

type TermProps = {
  state: SwapState
  quote: SwapQuote | undefined
  limits: SwapLimits | undefined
  /** True while the quote is not refreshed, because the wallet is asked. */
  isPaused?: boolean
}

/** Rate, minimum or maximum, price impact, fee and route, as lines of a description list. Unknown values are shown as unknown. */
export function TermLines({ state, quote, limits, isPaused = false }: TermProps): ReactElement {
  const { locale } = useSurroundings()
  const t = useFlowMessages(swapMessages)
  const impact = quote && getPriceImpact(state, quote)
  const exact = quote?.request.exact ?? state.exact
  const text = (shown: string | undefined): ReactNode => shown && <bdi dir="ltr">{shown}</bdi>
  return (
    <>
      <Line name={t.rate} note={<RefreshCountdown isPaused={isPaused} />} isWaiting={quote === undefined}>
        {text(quote && rateText(locale, quote))}
      </Line>
      <Line name={exact === 'from' ? t.minimum : t.maximum} isWaiting={quote === undefined}>
        {text(quote && limits && limitText(locale, quote, limits))}
      </Line>
      <Line name={t.impact} isWaiting={quote === undefined}>
        {text(impact === undefined ? t.unknown : percentText(locale, impact))}
      </Line>
      <Line name={t.fee} isWaiting={quote === undefined}>
        <FeeText state={state} quote={quote} />
      </Line>
      {quote !== undefined && quote.route.length > 0 && (
        <Line name={t.route} isWaiting={false}>
          {routeText(state, quote)}
        </Line>
      )}
    </>
  )
}

type LineProps = { name: string; note?: ReactNode; isWaiting: boolean; children: ReactNode }

function Line({ name, note, isWaiting, children }: LineProps): ReactElement {
  return (
    <div>
      <dt>
        {name}
        {note}
      </dt>
      <dd className="figures">{isWaiting ? <span className="skeleton swap-fact-skeleton" /> : children}</dd>
    </div>
  )
}

function FeeText({ state, quote }: { state: SwapState; quote: SwapQuote | undefined }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
  const t = useFlowMessages(swapMessages)
  const network = latchkey.networks.find(({ caipNetworkId }) => caipNetworkId === quote?.request.chainId)
  if (quote?.fee === undefined || network === undefined) return <>{t.unknown}</>
  const { symbol, decimals } = network.nativeCurrency
  const dollars = swapFeeInDollars(state, quote)
  return (
    <>
      <bdi dir="ltr">{`${decimalText(locale, atMost(quote.fee.value, decimals))} ${symbol}`}</bdi>
      {dollars !== undefined && <small>{dollarText(locale, dollars)}</small>}
    </>
  )
}

/** The slippage field. Values outside of the bounds are rejected with a notice. */
function SlippageLine({ percent }: { percent: number }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
  const t = useFlowMessages(swapMessages)
  const id = useId()
  const [typed, setTyped] = useState(String(percent))
  const isGood = readSlippage(typed) !== undefined
  const { least, most } = slippageBounds
  const change = (text: string): void => {
    setTyped(text)
    const read = readSlippage(text)
    if (read !== undefined) setSlippage(latchkey, read)
  }
  return (
    <div className="swap-slippage-line">
      <dt>{t.slippage}</dt>
      <dd>
        <span className="swap-slippage">
          <input
            type="text"
            inputMode="decimal"
            dir="ltr"
            autoComplete="off"
            aria-label={t.slippageField}
            aria-invalid={!isGood}
            aria-describedby={isGood ? undefined : id}
            value={typed}
            onChange={({ target, nativeEvent }) =>
              change(typedAmount(target.value, 'data' in nativeEvent ? String(nativeEvent.data) : undefined))
            }
            onBlur={() => setTyped(String(swapState(latchkey).getState().slippage))}
          />
          <span aria-hidden="true">{'%'}</span>
        </span>
        {!isGood && (
          <small id={id} role="alert">
            {t.slippageBounds({ least: numberText(locale, least), most: numberText(locale, most) })}
          </small>
        )}
      </dd>
    </div>
  )
}

function readSlippage(text: string): number | undefined {
  const { least, most } = slippageBounds
  const percent = /^\d{1,2}(\.\d{1,2})?$/.test(text) ? Number(text) : Number.NaN
  return percent >= least && percent <= most ? percent : undefined
}

/** Returns the warnings about a quote. */
export function termWarnings(
  t: SwapMessages,
  locale: string | undefined,
  state: SwapState,
  quote: SwapQuote | undefined,
): readonly Warning[] {
  const impact = quote && getPriceImpact(state, quote)
  const warnings: Warning[] = []
  if (impact !== undefined && impact > priceImpactWarningPercent) {
    warnings.push({ key: 'impact', tone: 'danger', text: t.impactHigh({ percent: percentText(locale, impact) }) })
  }
  if (state.slippage > slippageBounds.warnsAbove) {
    warnings.push({
      key: 'slippage',
      tone: 'warning',
      text: t.slippageHigh({ percent: percentText(locale, state.slippage) }),
    })
  }
  return warnings
}

function rateText(locale: string | undefined, { request: { from, to }, fromAmount, toAmount }: SwapQuote): string {
  const one = 10n ** BigInt(from.decimals)
  return `1 ${from.symbol} = ${amountText(locale, (toAmount * one) / fromAmount, to)}`
}

/** The digits of a maximum on display. */
const maximumDigits = 8

/** Formats the minimum, cut, or the maximum, rounded up: no limit may look better than it is. */
function limitText(locale: string | undefined, { request }: SwapQuote, { maximum, minimum }: SwapLimits): string {
  const { exact, from, to } = request
  if (exact === 'from') return amountText(locale, minimum, to)
  return `${decimalText(locale, atMost(maximum, from.decimals, maximumDigits))} ${from.symbol}`
}

/** Returns the tokens and exchanges of a route. */
function routeText(state: SwapState, { route, request }: SwapQuote): ReactElement {
  const nameOf = (id: string): string =>
    state.tokens.find((token) => token.id.toLowerCase() === id.toLowerCase())?.symbol ?? '…'
  const names = [request.from.symbol, ...route.slice(0, -1).map(({ to }) => nameOf(to)), request.to.symbol]
  return (
    <>
      <bdi dir="ltr">{names.join(' → ')}</bdi>
      <small>{[...new Set(route.map(({ exchange }) => exchange))].join(', ')}</small>
    </>
  )
}

function numberText(locale: string | undefined, value: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value)
}
