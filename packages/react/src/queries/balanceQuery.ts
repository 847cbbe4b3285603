import { getBalance, type AccountState, type Balance, type Latchkey } from '@latchkey/core'
import type { UseQueryOptions } from '@tanstack/react-query'

/** The cache time of balances and assets [R9.1.10], in milliseconds. */
export const holdingsMilliseconds = 30_000

/** The query for the native balance of an account. It is disabled without a connection. */
export function balanceQuery(latchkey: Latchkey, account: AccountState): UseQueryOptions<Balance> {
  return {
    queryKey: ['balance', ...holderOf(account)],
    queryFn: () => getBalance(latchkey, { namespace: account.network?.chainNamespace }),
    // The balance on an unknown network cannot be read.
    enabled: account.status === 'connected' && account.supported,
    staleTime: holdingsMilliseconds,
  }
}

/** Returns the account and the network as a query key. */
export function holderOf(account: AccountState): readonly string[] {
  return account.status === 'connected' ? [account.network.caipNetworkId, account.address] : []
}
