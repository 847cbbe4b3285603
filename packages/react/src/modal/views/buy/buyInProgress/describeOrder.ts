import type { BuyOrder } from '@latchkey/core/money'
import type { BuyMessages } from '@latchkey/modal/messages'
import { truncateAmount } from '../../../money/amounts.ts'

export type OrderTexts = { state: 'waiting' | 'ready' | 'failed'; headline: string; hint: string }

/** Returns the headline and the hint of an order. */
export function describeOrder(t: BuyMessages, order: Exclude<BuyOrder, { status: 'none' }>): OrderTexts {
  const { name } = order.provider
  switch (order.status) {
    case 'starting':
      return { state: 'waiting', headline: t.opening({ provider: name }), hint: t.openingHint }
    case 'failed':
      return { state: 'failed', headline: t.notStarted, hint: t.notStartedHint({ provider: name }) }
    case 'begun':
      return describeBegun(t, order)
  }
}

function describeBegun(t: BuyMessages, order: BuyOrder & { status: 'begun' }): OrderTexts {
  const bought = order.purchase?.bought
  switch (order.purchaseStatus) {
    case 'arrived': {
      const what = bought === undefined ? '' : `${truncateAmount(bought.amount)} ${bought.currency}`
      return { state: 'ready', headline: t.arrived({ amount: what }).trim(), hint: t.arrivedHint }
    }
    case 'failed':
      return { state: 'failed', headline: t.notCompleted, hint: t.notCompletedHint }
    case 'declined':
      return { state: 'ready', headline: t.declined, hint: t.declinedHint }
    case 'paid':
    case 'waiting':
      return describeWaiting(t, order)
  }
}

function describeWaiting(t: BuyMessages, order: BuyOrder & { status: 'begun' }): OrderTexts {
  if (order.overdue) return { state: 'ready', headline: t.overdue, hint: t.overdueHint }
  const texts = ((): OrderTexts => {
    if (order.purchaseStatus === 'paid') return { state: 'waiting', headline: t.paid, hint: t.paidHint }
    if (order.window === 'blocked') return { state: 'ready', headline: t.blocked, hint: t.blockedHint }
    if (order.window === 'closed') return { state: 'waiting', headline: t.closed, hint: t.closedHint }
    return { state: 'waiting', headline: t.payAt({ provider: order.provider.name }), hint: t.payHint }
  })()
  return order.unreachable ? { ...texts, hint: t.statusUnknown } : texts
}
