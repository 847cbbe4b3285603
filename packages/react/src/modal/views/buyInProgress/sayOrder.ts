import type { BuyOrder } from '@latchkey/core/money'
import type { BuyTexts } from '../../../strings/buy/texts.ts'
import { cutAmount } from '../../money/amounts.ts'

export type Said = { state: 'waiting' | 'ready' | 'failed'; headline: string; hint: string }

/** What is awaited, or what happened, and what to do. */
export function sayOrder(t: BuyTexts, order: Exclude<BuyOrder, { status: 'none' }>): Said {
  const { name } = order.provider
  switch (order.status) {
    case 'starting':
      return { state: 'waiting', headline: t.opening(name), hint: t.openingHint }
    case 'failed':
      return { state: 'failed', headline: t.notBegun, hint: t.notBegunHint(name) }
    case 'begun':
      return sayBegun(t, order)
  }
}

function sayBegun(t: BuyTexts, order: BuyOrder & { status: 'begun' }): Said {
  const bought = order.purchase?.bought
  switch (order.standing) {
    case 'arrived': {
      const what = bought === undefined ? '' : `${cutAmount(bought.amount)} ${bought.currency}`
      return { state: 'ready', headline: t.arrived(what).trim(), hint: t.arrivedHint }
    }
    case 'failed':
      return { state: 'failed', headline: t.ended, hint: t.endedHint }
    case 'declined':
      return { state: 'ready', headline: t.declined, hint: t.declinedHint }
    case 'paid':
    case 'waiting':
      return sayWaiting(t, order)
  }
}

function sayWaiting(t: BuyTexts, order: BuyOrder & { status: 'begun' }): Said {
  if (order.overdue) return { state: 'ready', headline: t.overdue, hint: t.overdueHint }
  const said = ((): Said => {
    if (order.standing === 'paid') return { state: 'waiting', headline: t.paid, hint: t.paidHint }
    if (order.window === 'blocked') return { state: 'ready', headline: t.blocked, hint: t.blockedHint }
    if (order.window === 'closed') return { state: 'waiting', headline: t.closed, hint: t.closedHint }
    return { state: 'waiting', headline: t.there(order.provider.name), hint: t.thereHint }
  })()
  return order.unreachable ? { ...said, hint: t.unreachable } : said
}
