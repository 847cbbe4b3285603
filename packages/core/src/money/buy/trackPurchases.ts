import type { Latchkey } from '../../instance/latchkey.ts'
import { fetchPurchases } from './purchases.ts'
import { buySessionOf, type Purchase, type StartedPurchase } from './state.ts'
import { listStartedPurchases, removeStartedPurchase } from './startedPurchases.ts'
import { isOver, settlePurchase } from './watchBuy.ts'

/** Milliseconds between two rounds: while the user may be paying, and later. */
const pauseMs = { soon: 10_000, later: 60_000 } as const

/** The time in which a card is usually paid, and the time after which a purchase is no longer followed. */
const ageMs = { soon: 600_000, most: 86_400_000 } as const

export type TrackPurchasesOptions = {
  /** Called for each purchase of a connected account that arrived or failed. */
  onOutcome?: (started: StartedPurchase, purchase: Purchase) => void
}

/**
 * Follows the purchases of the connected accounts that this browser started, even while their view is closed and after a
 * reload: every ten seconds in the first ten minutes, then every minute, for a day. A hidden page sends no requests.
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
    removeStartedPurchase(latchkey, purchase.id)
    onOutcome?.(of, purchase)
  }
  const check = async (): Promise<void> => {
    cancel()
    addStored(latchkey, started)
    dropOld(latchkey, started)
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
  const checkStored = (): void => void (addStored(latchkey, started) && check())
  const stopAccounts = latchkey.wallet.subscribe(checkStored)
  const stop = store.subscribe(({ order }, before) => {
    if (order.status !== 'begun') return
    if (order.purchase !== undefined) report(order.purchase)
    if (before.order.status !== 'begun') plan()
  })
  page?.addEventListener('visibilitychange', onVisibilityChange)
  plan()
  checkStored()
  return () => {
    stopping.abort()
    cancel()
    stop()
    stopAccounts()
    page?.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

/** Adds the purchases of earlier page loads. Returns true if there are any. */
function addStored(latchkey: Pick<Latchkey, 'internal' | 'wallet'>, started: Map<string, StartedPurchase>): boolean {
  const { size } = started
  for (const [id, purchase] of listStartedPurchases(latchkey)) if (!started.has(id)) started.set(id, purchase)
  return started.size > size
}

function dropOld(latchkey: Pick<Latchkey, 'internal'>, started: Map<string, StartedPurchase>): void {
  const before = latchkey.internal.clock.now() - ageMs.most
  for (const [id, { since }] of started) {
    if (since >= before) continue
    started.delete(id)
    removeStartedPurchase(latchkey, id)
  }
}
