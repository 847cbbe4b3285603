import type { HistoryTransfer } from '@latchkey/protocol'
import type { Chain } from '../../kit/chain/chains.ts'
import { formatBaseUnits } from '../../kit/chain/formatBaseUnits.ts'

/** A transfer of the native currency. `amount` is in base units. */
export type NativeTransfer = {
  direction: HistoryTransfer['direction']
  amount: bigint
  counterparty: string | undefined
}

/** Converts a transfer of a chain's native currency to a transfer of a history. */
export function toNativeHistoryTransfer(
  { nativeCurrency: { name, symbol, decimals } }: Chain,
  { direction, amount, counterparty }: NativeTransfer,
): HistoryTransfer {
  return {
    fungible_info: { name, symbol, icon: null },
    nft_info: null,
    direction,
    ...(counterparty === undefined ? {} : { counterparty }),
    quantity: { numeric: formatBaseUnits(amount, decimals) },
    value: null,
    price: null,
  }
}
