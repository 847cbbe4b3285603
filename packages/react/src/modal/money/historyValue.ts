import type { HistoryItem, HistoryTransfer } from '@latchkey/protocol'

/** Returns the value of a transfer on its day in dollars, or undefined if it is unknown. Spam has no value. */
function getTransferValue({ value, quantity, fungible_info: fungible }: HistoryTransfer): number | undefined {
  if (value === null || fungible === null || fungible.flags?.is_spam === true) return undefined
  return /[1-9]/.test(quantity.numeric) ? value : undefined
}

/**
 * Returns the value of a transaction on its day in dollars: of all that the account gave, otherwise of all that it
 * received. It is undefined unless each of these values is known, because a part would look like the whole.
 *
 * @example const dollars = getHistoryValue(item)
 */
export function getHistoryValue({ transfers }: Pick<HistoryItem, 'transfers'>): number | undefined {
  const given = transfers.filter(({ direction }) => direction !== 'in')
  const received = transfers.filter(({ direction }) => direction === 'in')
  return sumValues(given) ?? sumValues(received)
}

function sumValues(transfers: readonly HistoryTransfer[]): number | undefined {
  const known = transfers.flatMap((transfer) => getTransferValue(transfer) ?? [])
  if (known.length === 0 || known.length < transfers.length) return undefined
  return known.reduce((sum, value) => sum + value, 0)
}
