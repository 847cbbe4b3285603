import { formatAmount } from '@latchkey/core'
import type { SwapToken } from '@latchkey/core/money'
import { reasonText } from '@latchkey/modal'
import type { SwapMessages } from '@latchkey/modal/messages'
import { isLatchkeyError, type ErrorCode } from '@latchkey/protocol'
import type { Strings } from '../../../../messages/strings.ts'
import { decimalText, quantityText } from '../../../../messages/quantityText.ts'
import { describeFailure } from '../../../describeFailure.ts'

/** The failures with texts specific to swaps. */
type SwapFailure =
  | Extract<ErrorCode, `swap/${string}`>
  | 'request/rejected'
  | 'request/unknown'
  | 'transaction/pending'
  | 'http/unreachable'

/** The decimal places of amounts below one, below a thousand, and above. */
const places = { tiny: 6, some: 4, many: 2 }

/** Formats an amount with few digits. It is cut, never rounded up, and never cut to zero. */
export function shortAmount(units: bigint, decimals: number): string {
  const exact = formatAmount(units, decimals)
  const [whole = '0', fraction = ''] = exact.split('.')
  const shown = fraction.slice(0, placesOf(whole, fraction)).replace(/0+$/, '')
  return shown === '' ? whole : `${whole}.${shown}`
}

function placesOf(whole: string, fraction: string): number {
  if (whole !== '0') return whole.length > 3 ? places.many : places.some
  return Math.max(places.tiny, fraction.search(/[1-9]/) + 4)
}

/** Formats an amount in a language with few digits and its symbol. */
export function amountText(locale: string | undefined, units: bigint, { decimals, symbol }: SwapToken): string {
  return `${decimalText(locale, shortAmount(units, decimals))} ${symbol}`
}

/** Formats an amount in a language as balances are formatted, with its symbol. */
export function formatHeldAmount(locale: string | undefined, units: bigint, { decimals, symbol }: SwapToken): string {
  return `${quantityText(locale, units, decimals)} ${symbol}`
}

/** Formats the exact amount in a language with its symbol. Amounts that the user allows or gives must not look smaller. */
export function exactText(locale: string | undefined, units: bigint, { decimals, symbol }: SwapToken): string {
  return `${decimalText(locale, formatAmount(units, decimals))} ${symbol}`
}

/** Formats a percentage in a language. */
export function percentText(locale: string | undefined, percent: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100)
}

/** Returns what happened and what to do next, with the kind of reason that a contract or the server gave. */
export function failureText(t: SwapMessages, strings: Strings, error: unknown): { text: string; reason?: string } {
  if (!isLatchkeyError(error)) return { text: describeFailure(strings, error) }
  const failures: Partial<Record<string, string>> = t.failures satisfies Record<SwapFailure, string>
  const text = failures[error.code] ?? describeFailure(strings, error)
  const { context } = error
  const reason =
    'reason' in context && error.code.startsWith('swap/')
      ? t.reason({ reason: reasonText(String(context.reason), strings.reasons) })
      : undefined
  return { text, reason }
}
