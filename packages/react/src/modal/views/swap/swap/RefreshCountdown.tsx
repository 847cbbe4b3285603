import { internalsOf, quoteMilliseconds } from '@latchkey/core/internal'
import { swapState } from '@latchkey/core/money'
import { swapMessages } from '@latchkey/modal/messages'
import { useEffect, useReducer, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useStore } from '../../../../useStore.ts'

/**
 * The seconds to the next rate. Screen readers read how often the rate changes, instead of a number that changes every
 * second. While it is paused, it keeps its place.
 */
export function RefreshCountdown({ isPaused }: { isPaused: boolean }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(swapMessages)
  const { refreshAt, quote } = useStore(swapState(latchkey))
  const seconds = useSecondsUntil(refreshAt)
  const isComing = quote.status === 'waiting' || seconds === 0
  const text = (count: number, unitDisplay: 'narrow' | 'long'): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay }).format(count)
  return (
    <small className="figures swap-countdown" data-paused={isPaused ? '' : undefined}>
      <span aria-hidden="true">{isComing ? t.refreshing : t.refreshIn({ time: text(seconds, 'narrow') })}</span>
      <span className="hidden">{t.refreshEvery({ time: text(quoteMilliseconds / 1_000, 'long') })}</span>
    </small>
  )
}

/** Returns the whole seconds until a time, rounded up and never negative. Renders when the number changes. */
function useSecondsUntil(time = 0): number {
  const { clock } = internalsOf(useLatchkey())
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    let cancel = (): void => {}
    const plan = (): void => {
      const left = time - clock.now()
      // To the next whole second, so that a late timer does not delay the following numbers.
      if (left > 0) cancel = clock.after(left % 1_000 === 0 ? 1_000 : left % 1_000, tick)
    }
    const tick = (): void => {
      render()
      plan()
    }
    plan()
    return () => cancel()
  }, [clock, time])
  return Math.max(0, Math.ceil((time - clock.now()) / 1_000))
}
