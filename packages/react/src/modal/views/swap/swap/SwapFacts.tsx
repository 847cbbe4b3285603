import {
  getCurrentQuote,
  getPriceImpact,
  getSwapLimits,
  priceImpactWarningPercent,
  slippageBounds,
  swapFeeInDollars,
} from '@latchkey/core/internal'
import { swapState, type SwapLimits, type SwapQuote, type SwapState } from '@latchkey/core/money'
import { swapMessages, type SwapMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { atMost, dollarText } from '../../../money/dollarText.ts'
import { Warnings, type Warning } from '../../../money/Warnings.tsx'
import { Icon } from '../../../parts/index.tsx'
import { amountText, percentText } from './amountText.ts'
import { RefreshCountdown } from './RefreshCountdown.tsx'
import { SlippageLine } from './SlippageLine.tsx'

/** The terms of the current quote. */
export function SwapFacts(): ReactElement | null {
  const latchkey = useLatchkey()
  const state = useStore(swapState(latchkey))
  const quote = getCurrentQuote(state)
  if (state.quote.status === 'none') return null
  return (
    <dl className="facts" aria-busy={quote === undefined}>
      <TermLines state={state} quote={quote} limits={quote && getSwapLimits(quote, state.slippage)} />
      <SlippageLine />
    </dl>
  )
}

/** The warnings about the current quote, next to the button that they concern. */
export function SwapWarnings(): ReactElement {
  const t = useFlowMessages(swapMessages)
  const { locale } = useLatchkeyContext()
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
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const impact = quote && getPriceImpact(state, quote)
  const exact = quote?.request.exact ?? state.exact
  const text = (shown: string | undefined): ReactNode => shown && <bdi dir="ltr">{shown}</bdi>
  return (
    <>
      <Line name={t.rate} note={<RefreshCountdown isPaused={isPaused} />} isWaiting={quote === undefined}>
        {quote && <RateButton quote={quote} />}
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
  const { locale } = useLatchkeyContext()
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
    // A smaller amount helps if the amount moves the price, and not if the price of the pool is bad.
    const isMoved = quote?.impact !== undefined && quote.impact >= impact
    const text = (isMoved ? t.impactHigh : t.valueLost)({ percent: percentText(locale, impact) })
    warnings.push({ key: 'impact', tone: 'danger', text })
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

/** The rate. A click shows it for one unit of the other token. */
function RateButton({ quote }: { quote: SwapQuote }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const [isInverted, setInverted] = useState(false)
  return (
    <button type="button" className="small-button figures swap-rate" onClick={() => setInverted(!isInverted)}>
      <bdi dir="ltr">{rateText(locale, quote, isInverted)}</bdi>
      <span className="hidden">{t.invertRate}</span>
      <Icon name="turn" size={16} />
    </button>
  )
}

function rateText(locale: string | undefined, quote: SwapQuote, isInverted: boolean): string {
  const { request, fromAmount, toAmount } = quote
  const [one, other] = isInverted
    ? [
        { token: request.to, units: toAmount },
        { token: request.from, units: fromAmount },
      ]
    : [
        { token: request.from, units: fromAmount },
        { token: request.to, units: toAmount },
      ]
  const price = (other.units * 10n ** BigInt(one.token.decimals)) / one.units
  return `1 ${one.token.symbol} = ${amountText(locale, price, other.token)}`
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
