import type { Rates } from '../config.ts'
import type { PaymentMethod } from '../onRampProvider.ts'

/** The sandbox's fees in percent. */
export const sandboxFees: Readonly<Record<PaymentMethod, bigint>> = { card: 2n, ach_bank_account: 1n }

/** Gets the price of one unit of an asset, or `undefined` if the operator configured none. */
export function getRate(rates: Rates, symbol: string, currency: string): string | undefined {
  const own = Object.hasOwn(rates, symbol) ? rates[symbol] : undefined
  const rate = own !== undefined && Object.hasOwn(own, currency) ? own[currency] : undefined
  return rate === undefined || parseScaledRate(rate) === 0n ? undefined : rate
}

/** Gets the fee of a payment, rounded up to the cent. */
export function getFee(cents: bigint, method: PaymentMethod): bigint {
  return (cents * sandboxFees[method] + 99n) / 100n
}

const places = 8

function parseScaledRate(rate: string): bigint {
  const [whole = '0', fraction = ''] = rate.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

/** Gets how many base units of an asset an amount in hundredths buys. Rounds down. */
export function getUnits(cents: bigint, rate: string, decimals: number): bigint {
  return (cents * 10n ** BigInt(places + decimals)) / (parseScaledRate(rate) * 100n)
}
