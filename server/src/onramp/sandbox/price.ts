import type { Rates } from '../config.ts'
import type { PaymentMethod } from '../provider.ts'

/** What the sandbox takes, in per cent. */
export const sandboxFees: Readonly<Record<PaymentMethod, bigint>> = { card: 2n, ach_bank_account: 1n }

/** What one unit of an asset costs; undefined where the operator did not say, so that nothing is invented. */
export function rateOf(rates: Rates, symbol: string, currency: string): string | undefined {
  const own = Object.hasOwn(rates, symbol) ? rates[symbol] : undefined
  const rate = own !== undefined && Object.hasOwn(own, currency) ? own[currency] : undefined
  return rate === undefined || scaled(rate) === 0n ? undefined : rate
}

/** What is taken of a payment: rounded up, to the cent. */
export function feeOf(cents: bigint, method: PaymentMethod): bigint {
  return (cents * sandboxFees[method] + 99n) / 100n
}

const places = 8

function scaled(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** How many base units of an asset so many hundredths buy at a rate; never rounded up. */
export function unitsFor(cents: bigint, rate: string, decimals: number): bigint {
  return (cents * 10n ** BigInt(places + decimals)) / (scaled(rate) * 100n)
}
