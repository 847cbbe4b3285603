import type { SwapOrder, SwapStep } from '@latchkey/core/money'
import { swapMessages, type SwapMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { Icon } from '../../../parts/index.tsx'
import { exactText } from '../swap/amountText.ts'

type Order = Exclude<SwapOrder, { status: 'none' }>

/** The wallet requests of a swap, if there are several. The finished ones are ticked. */
export function SwapSteps({ order, done: finished }: { order: Order; done: readonly SwapStep[] }): ReactElement | null {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const next = nextSteps(order)
  // A step is needed again until the chain confirms that it was enough.
  const done = finished.filter((step) => !next.includes(step))
  const all = [...done, ...next]
  if (all.length < 2) return null
  return (
    <ol className="swap-steps" aria-label={t.steps.label}>
      {all.map((step, index) => {
        const isDone = index < done.length
        return (
          <li key={step} aria-current={index === done.length ? 'step' : undefined} data-done={isDone ? '' : undefined}>
            <span className="swap-step-mark" aria-hidden="true">
              {isDone ? <Icon name="check" size={16} /> : index + 1}
            </span>
            {stepName({ t, locale }, step, order)}
            {isDone && <span className="hidden">{`, ${t.steps.done}`}</span>}
          </li>
        )
      })}
    </ol>
  )
}

/** Returns the steps that are not finished. */
function nextSteps(order: Order): readonly SwapStep[] {
  switch (order.status) {
    case 'ready':
      return order.steps
    case 'awaiting-wallet':
    case 'approving':
      return order.step === 'reset'
        ? ['reset', 'approve', 'swap']
        : order.step === 'approve'
          ? ['approve', 'swap']
          : ['swap']
    default:
      return []
  }
}

function stepName(
  { t: { steps, approveAndSwap }, locale }: { t: SwapMessages; locale: string | undefined },
  step: SwapStep,
  order: Order,
): string {
  const { request, fromAmount } = order.acceptedQuote
  switch (step) {
    case 'reset':
      return steps.reset({ symbol: request.from.symbol })
    case 'approve':
      return steps.approve({ amount: exactText(locale, 'maximum' in order ? order.maximum : fromAmount, request.from) })
    case 'batch':
      return approveAndSwap
    case 'swap':
      return steps.swap
  }
}
