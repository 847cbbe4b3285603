import type { HistoryItem, HistoryTransfer, OperationType } from '@latchkey/protocol'

/** The other party of a transaction in the history. */
export type HistoryParty = { address: string; isSender: boolean }

/**
 * Returns who received or sent the assets of a transaction, if known. The receiver of the transaction itself is that party
 * only for the native currency: a transfer of a token or an NFT goes to its contract, which must not be paid.
 *
 * @param native the symbol of the native currency
 * @example const party = findHistoryParty(item, 'ETH')
 */
export function findHistoryParty(
  { metadata, transfers }: HistoryItem,
  native: string | undefined,
): HistoryParty | undefined {
  const { operationType, sentFrom, sentTo } = metadata
  const isSender = operationType === 'receive'
  if (!isSender && operationType !== 'send') return undefined
  const counterparties = new Set(transfers.map(({ counterparty }) => counterparty))
  const [shared] = counterparties
  if (counterparties.size === 1 && shared !== undefined) return { address: shared, isSender }
  // Older servers name no counterparty.
  const isNamed = transfers.some(({ counterparty }) => counterparty !== undefined)
  if (isNamed || transfers.some(({ fungible_info: token }) => token?.symbol !== native)) return undefined
  const address = isSender ? sentFrom : sentTo
  return address === '' ? undefined : { address, isSender }
}

const comes: readonly OperationType[] = ['receive', 'deposit', 'borrow', 'claim']
const goes: readonly OperationType[] = ['withdraw', 'repay', 'burn']

/** Returns the sign of an amount, if the operation doesn't imply it. The two sides of a swap have different signs [R9.5.3]. */
export function signOf(operation: OperationType, { direction }: Pick<HistoryTransfer, 'direction'>): '+' | '-' | '' {
  if (comes.includes(operation) || (operation === 'trade' && direction === 'in')) return '+'
  return goes.includes(operation) || (operation === 'trade' && direction === 'out') ? '-' : ''
}
