import type { Latchkey } from '../../instance/latchkey.ts'
import { readToken } from './openSwap.ts'
import { refreshQuote } from './quotes.ts'
import { swapSessionOf } from './state.ts'

/** The maximum age of a quote on display, in milliseconds. */
export const quoteMilliseconds = 10_000

/**
 * Refreshes the quote and the balance ten seconds after the last quote while the page is visible, and at once when a
 * hidden page becomes visible. `refreshAt` of the state is the time of the next refresh.
 *
 * @param refresh refreshes the quote and the balance
 * @returns a function that stops it
 */
export function keepQuoteFresh(
  latchkey: Latchkey,
  refresh: () => Promise<unknown> = () => Promise.all([readToken(latchkey, 'from'), refreshQuote(latchkey)]),
): () => void {
  const { clock } = latchkey.internal
  const { store } = swapSessionOf(latchkey)
  const page = typeof document === 'undefined' ? undefined : document
  let cancel = (): void => {}
  const isHidden = (): boolean => page?.visibilityState === 'hidden'
  const plan = (): void => {
    cancel()
    store.setState({ refreshAt: clock.now() + quoteMilliseconds })
    cancel = clock.after(quoteMilliseconds, () => void (isHidden() || look()))
  }
  const look = (): void => {
    cancel()
    if (isHidden()) return
    plan()
    void refresh()
  }
  const stopFollowing = store.subscribe(({ quote }, { quote: before }) => {
    if (quote !== before && quote.status === 'ready') plan()
  })
  page?.addEventListener('visibilitychange', look)
  plan()
  return () => {
    cancel()
    stopFollowing()
    page?.removeEventListener('visibilitychange', look)
  }
}
