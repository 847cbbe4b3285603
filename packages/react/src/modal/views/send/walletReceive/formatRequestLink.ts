import { formatAmount, type AccountState } from '@latchkey/core'
import { parseUnits } from '@latchkey/core/internal'
import { formatPaymentRequest } from '@latchkey/protocol'
import type { RequestToken } from './useRequestTokens.ts'

/**
 * Formats the link that requests an amount for an account.
 *
 * @param entry the amount as entered, in whole units
 * @returns undefined if the amount is not valid, or the namespace has no payment links
 */
export function formatRequestLink(
  { address, network }: AccountState & { status: 'connected' },
  { address: token, decimals }: RequestToken,
  entry: string,
): string | undefined {
  const [, fraction = ''] = entry.split('.')
  // Cutting digits would request less than the user entered.
  if (fraction.length > decimals) return undefined
  const units = parseUnits(entry, decimals)
  if (units === undefined || units === 0n || units >= 2n ** 256n) return undefined
  try {
    return formatPaymentRequest(network, { to: address, token, units, amount: formatAmount(units, decimals) })
  } catch {
    return undefined
  }
}
