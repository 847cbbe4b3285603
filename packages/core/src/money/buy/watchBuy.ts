import { forgetHoldings } from '../../account/forgetHoldings.ts'
import type { Latchkey } from '../../latchkey.ts'
import { askPurchases } from './purchases.ts'
import { deskOf, type BuyOrder, type Purchase } from './state.ts'

/** How often it is looked, and for how long. */
const lookMilliseconds = 4_000
const patienceMilliseconds = 180_000
/** How often it is seen whether the window is still there. */
const windowMilliseconds = 500

type Begun = BuyOrder & { status: 'begun' }

/**
 * Looks every four seconds how the begun purchase stands, as long as the page is in sight: until it arrived, or came to
 * nothing. After three minutes it is `overdue` and looked for no more; calling this again looks again.
 *
 * @returns what stops it
 * @example const stop = watchBuy(latchkey)
 */
export function watchBuy(latchkey: Latchkey): () => void {
  const { clock } = latchkey
  const page = typeof document === 'undefined' ? undefined : document
  const stopping = new AbortController()
  const id = begunIn(latchkey)?.id
  const until = clock.now() + patienceMilliseconds
  let cancelLook = (): void => {}
  let cancelSight = (): void => {}

  const current = (): Begun | undefined => {
    const order = begunIn(latchkey)
    return order?.id === id && !stopping.signal.aborted ? order : undefined
  }
  const look = async (): Promise<void> => {
    cancelLook()
    const order = current()
    if (order === undefined || isOver(order)) return
    if (page?.visibilityState !== 'hidden') {
      const found = await lookOnce(latchkey, order.id, stopping.signal)
      const present = current()
      if (present === undefined) return
      note(latchkey, present, found)
      if (found !== 'unreachable' && found !== undefined && isOver(found)) return
    }
    if (clock.now() >= until) return change(latchkey, { overdue: true })
    cancelLook = clock.after(lookMilliseconds, () => void look())
  }
  const see = (): void => {
    const order = current()
    if (order === undefined || isOver(order)) return
    if (order.window === 'open' && deskOf(latchkey).window?.isClosed() === true) {
      change(latchkey, { window: 'closed' })
      return void look()
    }
    cancelSight = clock.after(windowMilliseconds, see)
  }
  const onSight = (): void => void (page?.visibilityState === 'visible' && look())

  page?.addEventListener('visibilitychange', onSight)
  change(latchkey, { overdue: false })
  void look()
  see()
  return () => {
    stopping.abort()
    cancelLook()
    cancelSight()
    page?.removeEventListener('visibilitychange', onSight)
  }
}

async function lookOnce(
  latchkey: Latchkey,
  id: string,
  signal: AbortSignal,
): Promise<Purchase | 'unreachable' | undefined> {
  try {
    const [purchase] = await askPurchases(latchkey, [id], signal)
    return purchase
  } catch {
    return 'unreachable'
  }
}

/** Writes down what was found. What arrived changes what the account holds. */
function note(latchkey: Latchkey, { account, chainId }: Begun, found: Purchase | 'unreachable' | undefined): void {
  if (found === 'unreachable') return change(latchkey, { unreachable: true })
  if (found === undefined) return change(latchkey, { unreachable: false })
  if (found.standing === 'arrived') {
    forgetHoldings(latchkey, account, chainId)
    if (found.hash !== undefined) {
      latchkey.events.emit({ type: 'transaction', chainId, from: account, hash: found.hash, status: 'mined' })
    }
  }
  change(latchkey, { standing: found.standing, purchase: found, unreachable: false })
}

function isOver({ standing }: { standing: Purchase['standing'] }): boolean {
  return standing === 'arrived' || standing === 'failed'
}

function begunIn(latchkey: Latchkey): Begun | undefined {
  const { order } = deskOf(latchkey).store.getState()
  return order.status === 'begun' ? order : undefined
}

function change(latchkey: Latchkey, change: Partial<Omit<Begun, 'status'>>): void {
  const order = begunIn(latchkey)
  if (order !== undefined) deskOf(latchkey).store.setState({ order: { ...order, ...change } })
}
