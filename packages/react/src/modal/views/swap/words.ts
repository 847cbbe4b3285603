import { formatAmount } from '@latchkey/core'
import type { SwapToken } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import type { SwapFailure, SwapTexts } from '../../../strings/swap/texts.ts'
import type { Strings } from '../../../strings/strings.ts'
import { describeFailure } from '../../describeFailure.ts'

/** How many digits behind the point are shown of less than one, of less than a thousand, and of more. */
const places = { tiny: 6, some: 4, many: 2 }

/** An amount in few digits, cut and never rounded up; as many as it takes to tell it apart from nothing. */
export function shortAmount(units: bigint, decimals: number): string {
  const exact = formatAmount(units, decimals)
  const [whole = '0', fraction = ''] = exact.split('.')
  const kept = fraction.slice(0, placesOf(whole, fraction)).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

function placesOf(whole: string, fraction: string): number {
  if (whole !== '0') return whole.length > 3 ? places.many : places.some
  return Math.max(places.tiny, fraction.search(/[1-9]/) + 4)
}

/** An amount with its symbol, in few digits. */
export function amountText(units: bigint, { decimals, symbol }: SwapToken): string {
  return `${shortAmount(units, decimals)} ${symbol}`
}

/** An amount with its symbol, to the last digit: what somebody allows or gives is never shown as less. */
export function exactText(units: bigint, { decimals, symbol }: SwapToken): string {
  return `${formatAmount(units, decimals)} ${symbol}`
}

/** A percentage as a language writes it. */
export function percentText(locale: string | undefined, percent: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100)
}

/** What happened and what to do next, with the reason where a contract or the server gave one. */
export function failureText(t: SwapTexts, strings: Strings, error: unknown): { text: string; reason?: string } {
  if (!isLatchkeyError(error)) return { text: describeFailure(strings, error) }
  const failures: Partial<Record<string, string>> = t.failures satisfies Record<SwapFailure, string>
  const text = failures[error.code] ?? describeFailure(strings, error)
  const { context } = error
  const reason = 'reason' in context && error.code.startsWith('swap/') ? t.reason(String(context.reason)) : undefined
  return { text, reason }
}
