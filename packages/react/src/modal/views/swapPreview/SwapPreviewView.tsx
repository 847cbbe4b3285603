import { goBack, type AccountState } from '@latchkey/core'
import {
  approveSwap,
  keepQuoteFresh,
  refreshOrder,
  swapDollarsOf,
  swapNow,
  swapState,
  type SwapOrder,
  type SwapState,
  type SwapToken,
} from '@latchkey/core/money'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { swapPart, type SwapTexts } from '../../../strings/swap/texts.ts'
import { useStore } from '../../../useStore.ts'
import { dollarText } from '../../money/figures.ts'
import { moneyCss } from '../../money/money.css.ts'
import { Warnings } from '../../money/Warnings.tsx'
import { Mark } from '../../parts.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { Failure } from '../swap/Failure.tsx'
import { swapCss } from '../swap/swap.css.ts'
import { TermLines, termWarnings } from '../swap/SwapFacts.tsx'
import { amountText, exactText } from '../swap/words.ts'

type Order = Exclude<SwapOrder, { status: 'none' }>

/** All of a swap once more, before the wallet is asked. */
export default function SwapPreviewView(): ReactElement {
  const latchkey = useLatchkey()
  const account = useAccount()
  const now = useStore(swapState(latchkey))
  // What was last on show stays while the view leaves behind a swap that went out.
  const [last, setLast] = useState(now)
  if (now.order.status !== 'none' && now !== last) setLast(now)
  const { order } = last
  useViewStyles(moneyCss + swapCss)
  useEffect(() => keepQuoteFresh(latchkey, () => refreshOrder(latchkey)), [latchkey])
  return (
    <Spoken part={swapPart}>
      {account.status === 'connected' && order.status !== 'none' && (
        <Preview state={last} order={order} account={account} />
      )}
    </Spoken>
  )
}

type PreviewProps = { state: SwapState; order: Order; account: AccountState & { status: 'connected' } }

function Preview({ state, order, account }: PreviewProps): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useSurroundings()
  const t = usePart(swapPart)
  const { question, toAmount } = order.agreed
  const minimum = 'minimum' in order ? order.minimum : undefined
  const error = 'error' in order ? order.error : undefined
  return (
    <>
      <Side state={state} label={t.pay} token={question.from} units={question.amount} isExact />
      <Side state={state} label={t.receive} token={question.to} units={toAmount} />
      <dl className="facts">
        <TermLines state={state} quote={order.agreed} minimum={minimum} />
        <div>
          <dt>{t.network}</dt>
          <dd>{account.network.name}</dd>
        </div>
        <div>
          <dt>{t.exchange}</dt>
          <dd className="mono">
            <bdi dir="ltr">{plain(order.agreed.spender)}</bdi>
          </dd>
        </div>
      </dl>
      <Warnings warnings={termWarnings(t, locale, state, order.agreed)} />
      <p className="hint center" role="status">
        {explain(t, order)}
      </p>
      <Failure error={error} />
      <div className="buttons">
        <button type="button" className="button" onClick={() => goBack(latchkey)}>
          {t.cancel}
        </button>
        <Go order={order} wallet={account.wallet.name} />
      </div>
    </>
  )
}

function Side(props: {
  state: SwapState
  label: string
  token: SwapToken
  units: bigint
  isExact?: boolean
}): ReactElement {
  const { state, label, token, units, isExact = false } = props
  const { locale } = useSurroundings()
  // Its price may have become known since it was chosen.
  const known = state.tokens.find(({ id }) => id === token.id)
  const dollars = swapDollarsOf(known, units)
  return (
    <div className="swap-review">
      <Mark name={token.symbol} icon={token.iconUrl} />
      <div className="text">
        <p className="money-label">{label}</p>
        <p className="headline figures">
          <bdi dir="ltr">{(isExact ? exactText : amountText)(units, token)}</bdi>
        </p>
        {dollars !== undefined && <p className="sub figures">{dollarText(locale, dollars)}</p>}
      </div>
    </div>
  )
}

/** The one thing to do next. */
function Go({ order, wallet }: { order: Order; wallet: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  const isBusy = order.status !== 'ready' && order.status !== 'failed'
  const act = (): void => {
    if (order.status === 'failed') return void refreshOrder(latchkey)
    if (order.status !== 'ready') return
    if (order.way === 'approve') void approveSwap(latchkey)
    else void swapNow(latchkey, t.notices)
  }
  return (
    <button type="button" className="button" data-primary="" part="primary" aria-disabled={isBusy} onClick={act}>
      {isBusy && <span className="spinner" />}
      {labelOf(t, order, wallet)}
    </button>
  )
}

function labelOf(t: SwapTexts, order: Order, wallet: string): string {
  switch (order.status) {
    case 'checking':
      return t.preparing
    case 'failed':
      return t.tryAgain
    case 'asking':
      return t.confirmIn(wallet)
    case 'approving':
      return t.approving
    case 'ready':
      if (order.way === 'batch') return t.both
      return order.way === 'swap' ? t.swap : t.approve(given(order))
  }
}

/** What the wallet will ask, where that is more than the swap. */
function explain(t: SwapTexts, order: Order): string | undefined {
  if (order.status !== 'ready') return undefined
  if (order.way === 'approve') return t.approveFirst(given(order))
  return order.way === 'batch' ? t.bothAtOnce(given(order)) : undefined
}

function given({ agreed: { question } }: Order): string {
  return exactText(question.amount, question.from)
}

function plain(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1)
}
