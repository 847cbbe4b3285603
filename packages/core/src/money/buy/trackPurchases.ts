import type { Latchkey } from '../../instance/latchkey.ts'
import { fetchPurchases } from './purchases.ts'
import { buySessionOf, type Purchase, type StartedPurchase } from './state.ts'
import { isOver, settlePurchase } from './watchBuy.ts'

/** Milliseconds between two rounds: while the user may be paying, and later. */
const pauseMs = { soon: 10_000, later: 60_000 } as const

/** The time in which a card is usually paid, and the time after which a purchase is no longer followed. */
const ageMs = { soon: 600_000, most: 86_400_000 } as const

export type TrackPurchasesOptions = {
  /** Called for each purchase of this page that arrived or failed. */
  onOutcome?: (started: StartedPurchase, purchase: Purchase) => void
}

/**
 * Follows the purchases that this page started, even while their view is closed: every ten seconds in the first ten
 * minutes, then every minute, for a day. A hidden page sends no requests.
 *
 * @returns a function that stops it
 * @example const stop = trackPurchases(latchkey, { onOutcome: (_, { status }) => show(status) })
 */
export function trackPurchases(latchkey: Latchkey, { onOutcome }: TrackPurchasesOptions = {}): () => void {
  const { clock } = latchkey.internal
  const session = buySessionOf(latchkey)
  const { started, store } = session
  const page = typeof document === 'undefined' ? undefined : document
  const stopping = new AbortController()
  let cancel = (): void => {}

  const report = (purchase: Purchase): void => {
    const of = started.get(purchase.id)
    if (of === undefined || !isOver(purchase.status)) return
    started.delete(purchase.id)
    onOutcome?.(of, purchase)
  }
  const check = async (): Promise<void> => {
    cancel()
    dropOld(started, clock.now() - ageMs.most)
    // The view of a purchase asks more often.
    const ids = [...started.keys()].filter((id) => id !== session.watchedId)
    if (ids.length > 0 && page?.visibilityState !== 'hidden') {
      const found = await fetchPurchases(latchkey, ids, stopping.signal).catch(() => [])
      if (stopping.signal.aborted) return
      for (const purchase of found) {
        const of = started.get(purchase.id)
        if (of !== undefined) settlePurchase({ latchkey, ...of }, purchase)
        report(purchase)
      }
    }
    plan()
  }
  const plan = (): void => {
    cancel()
    if (started.size === 0 || stopping.signal.aborted) return
    const isSoon = [...started.values()].some(({ since }) => clock.now() - since < ageMs.soon)
    cancel = clock.after(isSoon ? pauseMs.soon : pauseMs.later, () => void check())
  }
  const onVisibilityChange = (): void => void (page?.visibilityState === 'visible' && check())
  const stop = store.subscribe(({ order }, before) => {
    if (order.status !== 'begun') return
    if (order.purchase !== undefined) report(order.purchase)
    if (before.order.status !== 'begun') plan()
  })
  page?.addEventListener('visibilitychange', onVisibilityChange)
  plan()
  return () => {
    stopping.abort()
    cancel()
    stop()
    page?.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

function dropOld(started: Map<string, StartedPurchase>, before: number): void {
  for (const [id, { since }] of started) if (since < before) started.delete(id)
}
