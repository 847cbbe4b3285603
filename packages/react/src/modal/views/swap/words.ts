import { formatAmount } from '@latchkey/core'
import type { SwapToken } from '@latchkey/core/money'
import { isLatchkeyError } from '@latchkey/protocol'
import type { SwapFailure, SwapTexts } from '../../../strings/swap/texts.ts'
import type { Strings } from '../../../strings/strings.ts'
import { describeFailure } from '../../describeFailure.ts'

/** How many digits behind the point are shown of what a swap gives. */
const places = 6

/** An amount in few digits, cut and never rounded up; as many as it takes to tell it apart from nothing. */
export function shortAmount(units: bigint, decimals: number): string {
  const exact = formatAmount(units, decimals)
  const [whole = '0', fraction = ''] = exact.split('.')
  const first = fraction.search(/[1-9]/)
  const kept = fraction.slice(0, whole === '0' && first >= 0 ? Math.max(places, first + 4) : places).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

export function amountText(units: bigint, { decimals, symbol }: SwapToken): string {
  return `${shortAmount(units, decimals)} ${symbol}`
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
