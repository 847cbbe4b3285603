import { pushView } from '@latchkey/core'
import {
  buyProblem,
  buyState,
  chooseProvider,
  chosenToBuy,
  getBuyQuote,
  startBuy,
  type BuyProblem,
  type BuyState,
} from '@latchkey/core/money'
import { useId, useRef, type ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { buyPart, type BuyTexts } from '../../../strings/buy/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { moneyText } from '../../money/amounts.ts'
import { useFirstField } from '../../money/useFirstField.ts'
import { Mark } from '../../parts.tsx'
import { GetBox } from './GetBox.tsx'
import { PayBox } from './PayBox.tsx'
import { QuoteFacts } from './QuoteFacts.tsx'

/** The form of a purchase. Its button says what is missing, and leads there. */
export function BuyForm(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const { money } = useStrings()
  const state = useStore(buyState(latchkey))
  const amount = useRef<HTMLInputElement>(null)
  useFirstField()
  const { provider } = chosenToBuy(state)
  const submit = (): void => {
    if (buyProblem(state) !== undefined) return amount.current?.focus()
    if (state.quote.status === 'failed') return void getBuyQuote(latchkey)
    // The window has to open in this very click.
    void startBuy(latchkey, { waiting: t.opening(provider?.name ?? '') })
    pushView(latchkey, { view: 'BuyInProgress', params: {} })
  }
  return (
    <form
      className="buy-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <PayBox state={state} ref={amount} />
      <GetBox state={state} />
      <QuoteFacts state={state} />
      <Providers state={state} />
      <Submit state={state} />
      <button
        type="button"
        className="button"
        data-quiet=""
        onClick={() => pushView(latchkey, { view: 'OnRampActivity', params: {} })}
      >
        {money.bought}
      </button>
    </form>
  )
}

function Submit({ state }: { state: BuyState }): ReactElement {
  const { locale } = useSurroundings()
  const t = usePart(buyPart)
  const { account } = useStrings()
  const { provider } = chosenToBuy(state)
  const problem = buyProblem(state)
  const isReady = problem === undefined
  return (
    <button
      type="submit"
      className="button"
      part={isReady ? 'primary' : undefined}
      data-primary={isReady ? '' : undefined}
    >
      {problem !== undefined
        ? sayProblem(t, locale, problem)
        : state.quote.status === 'failed'
          ? account.retry
          : t.go(provider?.name ?? '')}
    </button>
  )
}

function sayProblem(t: BuyTexts, locale: string | undefined, problem: BuyProblem): string {
  switch (problem.kind) {
    case 'amount-missing':
      return t.enter
    case 'amount-invalid':
      return t.invalid
    case 'amount-low':
      return t.low(moneyText(locale, { amount: problem.min, currency: problem.currency }))
    case 'amount-high':
      return t.high(moneyText(locale, { amount: problem.max, currency: problem.currency }))
  }
}

/** Who sells, and what he takes. */
function Providers({ state }: { state: BuyState }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(buyPart)
  const name = useId()
  const { locale } = useSurroundings()
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  return (
    <fieldset className="buy-providers">
      <legend>{t.soldBy}</legend>
      {state.providers.map((provider) => (
        <label key={provider.id} className="row buy-provider" part="row">
          <Mark name={provider.name} />
          <span className="text">
            <span className="name">{provider.name}</span>
            <span className="sub">{t.fee(percent.formatRange(provider.fee.min / 100, provider.fee.max / 100))}</span>
          </span>
          <input
            type="radio"
            name={name}
            checked={provider.id === state.provider}
            onChange={() => void chooseProvider(latchkey, provider.id)}
          />
        </label>
      ))}
    </fieldset>
  )
}
