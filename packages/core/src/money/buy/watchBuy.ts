import { invalidateBalances } from '../../account/invalidateBalances.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { fetchPurchases } from './purchases.ts'
import { buySessionOf, type BuyOrder, type Purchase, type PurchaseStatus, type StartedPurchase } from './state.ts'

/** The interval and the timeout of status requests. */
const pollMilliseconds = 4_000
const timeoutMilliseconds = 180_000
/** The interval of checks whether the window is still open. */
const windowMilliseconds = 500

type StartedOrder = BuyOrder & { status: 'begun' }

/**
 * Requests the status of the started purchase every four seconds while the page is visible, until it arrived or failed.
 * After three minutes the order is `overdue` and polling stops. Call it again to continue.
 *
 * @returns a function that stops it
 * @example const stop = watchBuy(latchkey)
 */
export function watchBuy(latchkey: Latchkey): () => void {
  const { clock } = latchkey.internal
  const page = typeof document === 'undefined' ? undefined : document
  const stopping = new AbortController()
  const id = startedOrderOf(latchkey)?.id
  const until = clock.now() + timeoutMilliseconds
  let cancelPoll = (): void => {}
  let cancelWindowCheck = (): void => {}

  const session = buySessionOf(latchkey)
  const release = (): void => {
    if (session.watchedId === id) session.watchedId = undefined
  }
  const current = (): StartedOrder | undefined => {
    const order = startedOrderOf(latchkey)
    return order?.id === id && !stopping.signal.aborted ? order : undefined
  }
  const poll = async (): Promise<void> => {
    cancelPoll()
    const order = current()
    if (order === undefined || isOver(order.purchaseStatus)) return
    if (page?.visibilityState !== 'hidden') {
      const found = await fetchPurchaseStatus(latchkey, order.id, stopping.signal)
      const present = current()
      if (present === undefined) return
      applyPurchase(latchkey, present, found)
      if (found !== 'unreachable' && found !== undefined && isOver(found.status)) return release()
    }
    if (clock.now() >= until) {
      release()
      return patchOrder(latchkey, { overdue: true })
    }
    cancelPoll = clock.after(pollMilliseconds, () => void poll())
  }
  const checkWindow = (): void => {
    const order = current()
    if (order === undefined || isOver(order.purchaseStatus)) return
    if (order.window === 'open' && buySessionOf(latchkey).window?.isClosed() === true) {
      patchOrder(latchkey, { window: 'closed' })
      return void poll()
    }
    cancelWindowCheck = clock.after(windowMilliseconds, checkWindow)
  }
  const onVisibilityChange = (): void => void (page?.visibilityState === 'visible' && poll())

  page?.addEventListener('visibilitychange', onVisibilityChange)
  session.watchedId = id
  patchOrder(latchkey, { overdue: false })
  void poll()
  checkWindow()
  return () => {
    stopping.abort()
    release()
    cancelPoll()
    cancelWindowCheck()
    page?.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

async function fetchPurchaseStatus(
  latchkey: Pick<Latchkey, 'events' | 'internal'>,
  id: string,
  signal: AbortSignal,
): Promise<Purchase | 'unreachable' | undefined> {
  try {
    const [purchase] = await fetchPurchases(latchkey, [id], signal)
    return purchase
  } catch {
    return 'unreachable'
  }
}

/** Applies the response to a status request. */
function applyPurchase(latchkey: Latchkey, order: StartedOrder, found: Purchase | 'unreachable' | undefined): void {
  if (found === 'unreachable') return patchOrder(latchkey, { unreachable: true })
  if (found === undefined) return patchOrder(latchkey, { unreachable: false })
  settlePurchase({ latchkey, ...order }, found)
}

/** Applies the status of a purchase of this page. An arrived purchase changes the balances. */
export function settlePurchase(
  { latchkey, account, chainId }: Pick<StartedPurchase, 'account' | 'chainId'> & { latchkey: Latchkey },
  found: Purchase,
): void {
  if (found.status === 'arrived') {
    invalidateBalances(latchkey, account, chainId)
    if (found.hash !== undefined) {
      latchkey.events.emit({ type: 'transaction', chainId, from: account, hash: found.hash, status: 'mined' })
    }
  }
  if (startedOrderOf(latchkey)?.id !== found.id) return
  patchOrder(latchkey, { purchaseStatus: found.status, purchase: found, unreachable: false })
}

/** True if the status of a purchase no longer changes. */
export function isOver(status: PurchaseStatus): boolean {
  return status === 'arrived' || status === 'failed'
}

function startedOrderOf(latchkey: Latchkey): StartedOrder | undefined {
  const { order } = buySessionOf(latchkey).store.getState()
  return order.status === 'begun' ? order : undefined
}

function patchOrder(latchkey: Latchkey, change: Partial<Omit<StartedOrder, 'status'>>): void {
  const order = startedOrderOf(latchkey)
  if (order !== undefined) buySessionOf(latchkey).store.setState({ order: { ...order, ...change } })
}
