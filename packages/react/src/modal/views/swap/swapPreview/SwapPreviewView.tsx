import type { AccountState } from '@latchkey/core'
import {
  getPriceImpact,
  keepQuoteFresh,
  priceImpactConfirmPercent,
  refreshOrder,
  swapAmountInDollars,
} from '@latchkey/core/internal'
import { swapState, type SwapOrder, type SwapState, type SwapToken } from '@latchkey/core/money'
import { confirmApproval, confirmSwap, goBack, leaveReview } from '@latchkey/modal'
import { swapMessages, type SwapMessages } from '@latchkey/modal/messages'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { dollarText } from '../../../money/dollarText.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { Warnings } from '../../../money/Warnings.tsx'
import { Mark } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { Failure } from '../swap/Failure.tsx'
import { swapCss } from '../swap/swap.css.ts'
import { TermLines, termWarnings } from '../swap/SwapFacts.tsx'
import SwapView from '../swap/SwapView.tsx'
import { amountText, exactText, formatHeldAmount } from '../swap/amountText.ts'
import { ConfirmImpact, isConfirmWord } from './ConfirmImpact.tsx'
import { SwapSteps } from './SwapSteps.tsx'

type Order = Exclude<SwapOrder, { status: 'none' }>

/** The review of a swap, before the request to the wallet. */
export default function SwapPreviewView(): ReactElement {
  const latchkey = useLatchkey()
  const account = useAccount()
  const now = useStore(swapState(latchkey))
  // Keeps the last swap on screen while the view slides out after sending.
  const [last, setLast] = useState(now)
  if (now.order.status !== 'none' && now !== last) setLast(now)
  const { order } = last
  useViewStyles(moneyCss + swapCss)
  useEffect(() => keepQuoteFresh(latchkey, () => refreshOrder(latchkey)), [latchkey])
  // A sent swap is closed. The modal then shows the account instead.
  const isReset = now.order.status !== order.status && now.status !== 'closed'
  useEffect(() => {
    if (isReset) leaveReview(latchkey, 'SwapPreview')
  }, [latchkey, isReset])
  if (account.status !== 'connected' || order.status === 'none') return <SwapView />
  return (
    <FlowMessages chunk={swapMessages}>
      <Preview state={last} order={order} account={account} />
    </FlowMessages>
  )
}

type PreviewProps = { state: SwapState; order: Order; account: AccountState & { status: 'connected' } }

function Preview({ state, order, account }: PreviewProps): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const { request, fromAmount, toAmount } = order.acceptedQuote
  const limits = 'maximum' in order ? order : undefined
  const error = 'error' in order ? order.error : undefined
  const [typed, setTyped] = useState('')
  const impact = getPriceImpact(state, order.acceptedQuote)
  const isImpactHigh = impact !== undefined && impact > priceImpactConfirmPercent
  return (
    <>
      <Side state={state} label={t.pay} token={request.from} units={fromAmount} isExact={request.exact === 'from'} />
      <Side state={state} label={t.receive} token={request.to} units={toAmount} isExact={request.exact === 'to'} />
      <dl className="facts">
        <TermLines
          state={state}
          quote={order.acceptedQuote}
          limits={limits}
          isPaused={order.status === 'awaiting-wallet' || order.status === 'approving'}
        />
        <div>
          <dt>{t.network}</dt>
          <dd>{account.network.name}</dd>
        </div>
        <div>
          <dt>{t.exchange}</dt>
          <dd className="mono">
            <bdi dir="ltr">{getPlainId(order.acceptedQuote.spender)}</bdi>
          </dd>
        </div>
      </dl>
      <SwapSteps order={order} done={state.doneSteps} />
      <p className="hint center" role="status">
        {explainRequests({ t, locale }, order)}
      </p>
      <div className="footer">
        <Warnings warnings={termWarnings(t, locale, state, order.acceptedQuote)} />
        {isImpactHigh && <ConfirmImpact impact={impact} typed={typed} onType={setTyped} />}
        <Failure error={error} />
        <div className="buttons">
          <button type="button" className="button" onClick={() => goBack(latchkey)}>
            {t.cancel}
          </button>
          <NextStepButton
            order={order}
            wallet={account.wallet.name}
            isBlocked={isImpactHigh && !isConfirmWord(typed, t.confirmWord)}
          />
        </div>
      </div>
    </>
  )
}

function Side(props: {
  state: SwapState
  label: string
  token: SwapToken
  units: bigint
  isExact: boolean
}): ReactElement {
  const { state, label, token, units, isExact } = props
  const { locale } = useLatchkeyContext()
  // Its price may have been loaded after it was selected.
  const known = state.tokens.find(({ id }) => id === token.id)
  const dollars = swapAmountInDollars(known, units)
  return (
    <div className="swap-review">
      <Mark name={token.symbol} icon={token.iconUrl} />
      <div className="text">
        <p className="money-label">{label}</p>
        <p className="headline figures">
          <bdi dir="ltr">{(isExact ? exactText : amountText)(locale, units, token)}</bdi>
        </p>
        {dollars !== undefined && <p className="sub figures">{dollarText(locale, dollars)}</p>}
      </div>
    </div>
  )
}

/** The button for the next step. */
function NextStepButton({
  order,
  wallet,
  isBlocked,
}: {
  order: Order
  wallet: string
  isBlocked: boolean
}): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const strings = useModalMessages()
  const t = useFlowMessages(swapMessages)
  const isBusy = order.status !== 'ready' && order.status !== 'failed'
  const act = (): void => {
    if (order.status === 'failed') return void refreshOrder(latchkey)
    if (order.status !== 'ready' || isBlocked) return
    if (order.step === 'approve' || order.step === 'reset') void confirmApproval(latchkey)
    else
      void confirmSwap(latchkey, t.notices, (units, token) => formatHeldAmount(locale, units, token), strings.reasons)
  }
  return (
    <button
      type="button"
      className="button"
      data-primary=""
      part="primary"
      aria-disabled={isBusy || (isBlocked && order.status === 'ready')}
      onClick={act}
    >
      {isBusy && <span className="spinner" />}
      {labelOf({ t, locale }, order, wallet)}
    </button>
  )
}

function labelOf({ t, locale }: { t: SwapMessages; locale: string | undefined }, order: Order, wallet: string): string {
  switch (order.status) {
    case 'checking':
      return t.preparing
    case 'failed':
      return t.tryAgain
    case 'awaiting-wallet':
      return t.confirmIn({ wallet })
    case 'approving':
      return order.step === 'reset' ? t.resetting : t.approving
    case 'ready':
      if (order.step === 'batch') return t.approveAndSwap
      if (order.step === 'reset') return t.steps.reset({ symbol: order.acceptedQuote.request.from.symbol })
      return order.step === 'swap' ? t.swap : t.approve({ amount: formatPaidAmount(locale, order) })
  }
}

/** Explains the wallet's requests, if there is more than the swap. */
function explainRequests(
  { t, locale }: { t: SwapMessages; locale: string | undefined },
  order: Order,
): string | undefined {
  if (order.status !== 'ready') return undefined
  if (order.step === 'reset') return t.resetHint({ symbol: order.acceptedQuote.request.from.symbol })
  if (order.step === 'approve') return t.approveFirstHint({ amount: formatPaidAmount(locale, order) })
  return order.step === 'batch' ? t.approveAndSwapHint({ amount: formatPaidAmount(locale, order) }) : undefined
}

/** The amount that the exchange may take, with all its digits. */
function formatPaidAmount(locale: string | undefined, order: Order): string {
  const { request, fromAmount } = order.acceptedQuote
  return exactText(locale, 'maximum' in order ? order.maximum : fromAmount, request.from)
}

function getPlainId(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1)
}
