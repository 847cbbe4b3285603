import { keepQuoteFresh, swapProblem, type SwapProblem } from '@latchkey/core/internal'
import { refreshQuote, reverseSwap, swapState } from '@latchkey/core/money'
import { pushView, reviewSwapFlow } from '@latchkey/modal'
import { swapMessages, type SwapMessages } from '@latchkey/modal/messages'
import { useEffect, useRef, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { useFirstField } from '../../../money/useFirstField.ts'
import { Drawing } from '../../../parts/index.tsx'
import { Failure } from './Failure.tsx'
import { GivenSwapBox, WantedSwapBox } from './SwapBox.tsx'
import { SwapFacts, SwapWarnings } from './SwapFacts.tsx'

/** The swap form. Its button names the missing value and focuses its field. */
export function SwapForm(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(swapMessages)
  const state = useStore(swapState(latchkey))
  const [given, wanted] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const problem = swapProblem(latchkey, state)
  const error = problem?.code === 'failed' ? problem.error : undefined
  const canRetry = state.quote.status === 'failed' && error === state.quote.error
  useFirstField()
  useEffect(() => keepQuoteFresh(latchkey), [latchkey])
  const go = (): void => {
    if (problem === undefined) return void reviewSwapFlow(latchkey)
    if (problem.code === 'select-token') {
      return pushView(latchkey, { view: 'SwapSelectToken', params: { side: state.from === undefined ? 'from' : 'to' } })
    }
    if (canRetry) return void refreshQuote(latchkey)
    if (problem.code !== 'waiting') (state.exact === 'from' ? given : wanted).current?.focus()
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
        <GivenSwapBox elementRef={given} />
        <button type="button" className="swap-turn" aria-label={t.reverse} onClick={() => reverseSwap(latchkey)}>
          <Drawing path="M6 4 3 7l3 3M3 7h11M14 10l3 3-3 3M17 13H6" size={20} />
        </button>
        <WantedSwapBox elementRef={wanted} />
      </div>
      <SwapFacts />
      <div className="footer">
        <SwapWarnings />
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
      </div>
    </form>
  )
}

function labelOf({ next, waiting }: SwapMessages, problem: SwapProblem | undefined): string {
  if (problem === undefined || problem.code === 'failed') return next.ready
  return problem.code === 'waiting' ? waiting : next[problem.code]
}
