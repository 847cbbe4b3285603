import { pushView } from '@latchkey/core'
import {
  keepQuoteFresh,
  refreshQuote,
  reviewSwap,
  swapProblem,
  swapState,
  turnSwap,
  type SwapProblem,
} from '@latchkey/core/money'
import { useEffect, useRef, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { usePart } from '../../../strings/part.tsx'
import { swapPart, type SwapTexts } from '../../../strings/swap/texts.ts'
import { useStore } from '../../../useStore.ts'
import { useFirstField } from '../../money/useFirstField.ts'
import { Drawing } from '../../parts.tsx'
import { Failure } from './Failure.tsx'
import { GivenBox, WantedBox } from './SwapBoxes.tsx'
import { SwapFacts } from './SwapFacts.tsx'

/** The form of a swap. Its button says what is missing, and leads there. */
export function SwapForm(): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(swapPart)
  const state = useStore(swapState(latchkey))
  const amount = useRef<HTMLInputElement>(null)
  const problem = swapProblem(latchkey, state)
  const error = problem?.code === 'failed' ? problem.error : undefined
  const canRetry = state.quote.status === 'failed' && error === state.quote.error
  useFirstField()
  useEffect(() => keepQuoteFresh(latchkey), [latchkey])
  const go = (): void => {
    if (problem === undefined) return void reviewSwap(latchkey)
    if (problem.code === 'select-token') {
      return pushView(latchkey, { view: 'SwapSelectToken', params: { side: state.from === undefined ? 'from' : 'to' } })
    }
    if (canRetry) return void refreshQuote(latchkey)
    if (problem.code !== 'waiting') amount.current?.focus()
  }
  return (
    <form
      className="swap-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <div className="swap-sides">
        <GivenBox ref={amount} />
        <button type="button" className="swap-turn" aria-label={t.turn} onClick={() => turnSwap(latchkey)}>
          <Drawing path="M6 4 3 7l3 3M3 7h11M14 10l3 3-3 3M17 13H6" size={20} />
        </button>
        <WantedBox />
      </div>
      <SwapFacts />
      <Failure error={error} />
      <button
        type="submit"
        className="button"
        part={problem === undefined ? 'primary' : undefined}
        data-primary={problem === undefined ? '' : undefined}
        aria-busy={problem?.code === 'waiting'}
        aria-disabled={problem?.code === 'waiting' || (problem?.code === 'failed' && !canRetry)}
      >
        {problem?.code === 'waiting' && <span className="spinner" />}
        {canRetry ? t.tryAgain : labelOf(t, problem)}
      </button>
    </form>
  )
}

function labelOf({ next, waiting }: SwapTexts, problem: SwapProblem | undefined): string {
  if (problem === undefined || problem.code === 'failed') return next.ready
  return problem.code === 'waiting' ? waiting : next[problem.code]
}
