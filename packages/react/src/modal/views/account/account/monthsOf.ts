import type { HistoryItem } from '@latchkey/protocol'
import type { HoldingsMessages } from '@latchkey/modal/messages'

/** The unit of an age [R9.5.4]. */
type AgeUnit = keyof HoldingsMessages['ages']

/** The transactions of one month. */
export type Month = { readonly key: string; readonly title: string; readonly items: readonly HistoryItem[] }

/**
 * Groups a history by month, newest first. The titles omit the current year.
 *
 * @param now milliseconds since the epoch
 */
export function monthsOf(items: readonly HistoryItem[], now: number, locale: string | undefined): readonly Month[] {
  const thisYear = new Date(now).getFullYear()
  const months = new Map<string, { title: string; items: HistoryItem[] }>()
  for (const item of items) {
    const when = new Date(item.metadata.minedAt)
    const key = `${when.getFullYear()}-${when.getMonth()}`
    const year = when.getFullYear() === thisYear ? undefined : 'numeric'
    const title = new Intl.DateTimeFormat(locale, { month: 'long', year }).format(when)
    const month = months.get(key) ?? { title, items: [] }
    month.items.push(item)
    months.set(key, month)
  }
  return [...months].map(([key, month]) => ({ key, ...month }))
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/**
 * Returns the age of a time in the largest unit that fits [R9.5.4]. Future times have the age 0.
 *
 * @example ageOf(now - 90_000, now) // { count: 1, unit: 'min' }
 */
export function ageOf(then: number, now: number): { count: number; unit: AgeUnit } {
  const seconds = Math.max(0, Math.floor((now - then) / 1_000))
  const steps: readonly (readonly [AgeUnit, number])[] = [
    ['yr', year],
    ['mo', 30 * day],
    ['d', day],
    ['hr', hour],
    ['min', minute],
  ]
  const [unit, size] = steps.find(([, length]) => seconds >= length) ?? (['sec', 1] as const)
  return { count: Math.floor(seconds / size), unit }
}
